//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1

// Any 32 threads can meet the contract, and no more.

__device__ void __spec_places(unsigned *a) {
  unsigned t = threadIdx.x;
  __writes_to(a);
  __syncthreads();
  __ensures(a[t] < 32);
  __ensures(__distinct_int(a[t]));
}

__global__ void places(int *out) {
  __shared__ unsigned a[64];
  unsigned t = threadIdx.x;
  __spec_places(a);
  out[a[t]] = t;
}
