//pass
//--blockDim=32 --gridDim=1

// Compaction inside a warp: the place is the number of lower lanes that keep theirs.

__global__ void compact(const int *in, int *out) {
  int lane = threadIdx.x;
  bool keep = in[lane] > 0;
  unsigned votes = __ballot_sync(0xffffffff, keep);
  if (keep)
    out[__popc(votes & ((1u << lane) - 1))] = in[lane];
}
