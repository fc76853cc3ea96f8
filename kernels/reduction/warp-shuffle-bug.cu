//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=4
//write-write-race

// Every lane writes its own partial sum to the block's result.

__global__ void reduce(const int *in, int *out) {
  int v = in[blockIdx.x * 32 + threadIdx.x];
  for (int offset = 16; offset > 0; offset /= 2)
    v += __shfl_down_sync(0xffffffff, v, offset);
  out[blockIdx.x] = v + threadIdx.x;
}
