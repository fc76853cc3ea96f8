//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//write-write-race

// The barrier comes only after a hundred rounds without one.

__global__ void conditional(int *a, int n) {
  __requires(n == 200);
  int tid = threadIdx.x;
  for (int i = 0; i < n; i++) {
    a[tid + i] = tid;
    if (i == 100)
      __syncthreads();
  }
}
