//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2
//race

// The counter is not atomic.

__global__ void compact(const int *in, int *out, unsigned *count) {
  int x = in[blockIdx.x * blockDim.x + threadIdx.x];
  if (x > -1000000)
    out[(*count)++] = x;
}
