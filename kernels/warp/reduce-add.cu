//pass
//--blockDim=64 --gridDim=1

// The hardware's own warp reduction.

__global__ void sum(const unsigned *in, unsigned *out) {
  unsigned total = __reduce_add_sync(0xffffffff, in[threadIdx.x]);
  if (threadIdx.x % 32 == 0)
    out[threadIdx.x / 32] = total;
}
