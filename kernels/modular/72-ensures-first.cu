//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1

// What is ensured stands before the writes, of which it would say nothing.

__device__ void __spec_fill(int *p) {
  __ensures(p[threadIdx.x] == threadIdx.x);
  __writes_to(p);
  __syncthreads();
}

__global__ void first(int *out, int *a) {
  unsigned t = threadIdx.x;
  __spec_fill(a);
  out[a[t]] = t;
}
