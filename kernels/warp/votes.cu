//pass
//--blockDim=64 --gridDim=1

// Votes and ballots: each warp records which of its lanes found the key.

__global__ void find(const int *in, int key, unsigned *found, int *all, int *any) {
  int warp = threadIdx.x / 32;
  bool hit = in[threadIdx.x] == key;
  unsigned ballot = __ballot_sync(0xffffffff, hit);
  int every = __all_sync(0xffffffff, hit);
  int some = __any_sync(0xffffffff, hit);
  if ((threadIdx.x & 31) == 0) {
    found[warp] = ballot;
    all[warp] = every;
    any[warp] = some;
  }
}
