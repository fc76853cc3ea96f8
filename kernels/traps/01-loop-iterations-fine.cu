//pass
//--blockDim=64 --gridDim=1

// Every thread has a range of its own, whatever iteration it is in.

__global__ void iterations(int *a, int n) {
  __requires(n == 4);
  int tid = threadIdx.x;
  for (int i = 0; i < n; i++)
    a[n * tid + i] = tid;
}
