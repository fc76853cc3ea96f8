//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//assertion-failed

// What a device function requires is for its caller to see to, and this one does not.

__device__ void store(int *a, int stride) {
  __requires(stride == 1);
  a[stride * threadIdx.x] = threadIdx.x;
}

__global__ void caller(int *a, int n) {
  store(a, n);
}
