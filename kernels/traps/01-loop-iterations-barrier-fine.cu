//pass
//--blockDim=64 --gridDim=1

// With a barrier in each round, two threads are always in the same iteration.

__global__ void iterations(int *a, int n) {
  __requires(n == 4);
  int tid = threadIdx.x;
  for (int i = 0; i < n; i++) {
    a[tid + i] = tid;
    __syncthreads();
  }
}
