//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1 --no-inline

// The function does not keep its contract.

__device__ void fill(unsigned *p) {
  unsigned t = threadIdx.x;
  __writes_to(p);
  __ensures(p[t] == t + 1);
  p[t] = 0;
  __syncthreads();
  p[t] = t;
  __syncthreads();
}

__global__ void rotate(int *out, unsigned *a) {
  unsigned t = threadIdx.x;
  fill(a);
  out[a[t] - 1] = t;
}
