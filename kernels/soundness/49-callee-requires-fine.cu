//pass
//--blockDim=64 --gridDim=1

// The caller sees to what the device function requires.

__device__ void store(int *a, int stride) {
  __requires(stride == 1);
  a[stride * threadIdx.x] = threadIdx.x;
}

__global__ void caller(int *a, int n) {
  if (n == 1)
    store(a, n);
}
