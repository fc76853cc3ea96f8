//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1 --no-inline

// The caller writes what the function writes, with no barrier in between.

__device__ void fill(unsigned *p) {
  unsigned t = threadIdx.x;
  __writes_to(p);
  __ensures(p[t] == t + 1);
  p[63 - t] = 0;
  __syncthreads();
  p[t] = t + 1;
  __syncthreads();
}

__global__ void rotate(int *out, unsigned *a) {
  unsigned t = threadIdx.x;
  a[t] = 1;
  fill(a);
  out[a[t] - 1] = t;
}
