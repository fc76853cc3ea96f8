//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1

// What a thread wrote before the last barrier but one may have changed.

__global__ void k(int *out) {
  __shared__ int a[64];
  unsigned t = threadIdx.x;

  a[t] = t;
  __syncthreads();
  a[63 - t] = 0;
  __syncthreads();
  out[a[t]] = t;
}
