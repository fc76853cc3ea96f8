//pass
//--blockDim=64 --gridDim=2

// Sixty-four-bit indices and values.

__global__ void fill(long long *a, long long start) {
  long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = start + (i << 33);
}
