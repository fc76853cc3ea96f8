//pass
//--blockDim=64 --gridDim=1

// One lane per warp adds the number of hits in the warp.

__global__ void count(const int *in, int *total) {
  unsigned hits = __ballot_sync(0xffffffff, in[threadIdx.x] > 0);
  if ((threadIdx.x & 31) == 0)
    atomicAdd(total, __popc(hits));
}
