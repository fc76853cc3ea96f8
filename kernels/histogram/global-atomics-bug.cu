//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=4
//race

// Plain increments lose counts.

__global__ void histogram(const unsigned char *data, unsigned *bins, int n) {
  __requires(n == 1000);
  int stride = blockDim.x * gridDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
    bins[data[i] & 7]++;
}
