//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2
//race

// One thread clears the counter that the others already use.

__global__ void compact(const int *in, int *out, unsigned *count) {
  int x = in[blockIdx.x * blockDim.x + threadIdx.x];
  if (blockIdx.x == 0 && threadIdx.x == 0)
    *count = 0;
  if (x > 0)
    out[atomicAdd(count, 1u)] = x;
}
