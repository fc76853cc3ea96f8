//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//write-write-race

// The loop holds a barrier but goes round without meeting it.

__global__ void conditional(int *a, int n) {
  __requires(n == 20);
  int tid = threadIdx.x;
  for (int i = 0; i < n; i++) {
    a[tid + i] = tid;
    if (i == 10)
      __syncthreads();
  }
}
