//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1 --no-inline

// Each thread passes another number, so not all come to the barrier.

__device__ void f(int *p, int n) {
  __writes_to(p);
  __ensures(true);
  if (n > 3)
    __syncthreads();
  p[threadIdx.x] = n;
  __syncthreads();
}

__global__ void differs(int *a) {
  f(a, threadIdx.x);
}
