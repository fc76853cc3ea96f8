//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//divergence|deadlock

// The ballot is taken by the lanes that hit, but its mask names all of them.

__global__ void find(const int *in, int key, unsigned *found, int *all, int *any) {
  int warp = threadIdx.x / 32;
  bool hit = in[threadIdx.x] == key;
  unsigned ballot = 0;
  if (threadIdx.x % 3 == 0)
    ballot = __ballot_sync(0xffffffff, hit);
  int every = __all_sync(0xffffffff, hit);
  int some = __any_sync(0xffffffff, hit);
  if ((threadIdx.x & 31) == 0) {
    found[warp] = ballot;
    all[warp] = every;
    any[warp] = some;
  }
}
