//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=1
//write-write-race

// The mask counts the lanes up to eight only.

__global__ void compact(const int *in, int *out) {
  int lane = threadIdx.x;
  bool keep = in[lane] > 0;
  unsigned votes = __ballot_sync(0xffffffff, keep);
  if (keep)
    out[__popc(votes & ((1u << (lane & 7)) - 1))] = lane;
}
