//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//write-write-race

// The counter is the same for all threads, but two threads may be in different iterations.

__global__ void iterations(int *a, int n) {
  __requires(n == 4);
  int tid = threadIdx.x;
  for (int i = 0; i < n; i++)
    a[tid + i] = tid;
}
