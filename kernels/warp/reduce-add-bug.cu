//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//write-write-race

// Every lane writes its element next to the warp's total: the cells of two warps overlap.

__global__ void sum(const unsigned *in, unsigned *out) {
  unsigned total = __reduce_add_sync(0xffffffff, in[threadIdx.x]);
  out[threadIdx.x / 32 + threadIdx.x % 32] = total + threadIdx.x;
}
