//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1

// What a function ensures of two threads holds when it returns, not of what is written later.

__device__ void __spec_distinct(int *p) {
  __syncthreads();
  __writes_to(p);
  __syncthreads();
  __ensures(p[threadIdx.x] != __other_int(p[threadIdx.x]));
}

__global__ void views(int *out, int *a) {
  unsigned t = threadIdx.x;
  __spec_distinct(a);
  a[t] = 0;
  __syncthreads();
  out[a[t]] = t;
}
