//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=1
//write-write-race

// The cell is chosen by the group's first lane, so all of a group write it.

__global__ void groups(const int *keys, unsigned *peers) {
  unsigned mask = __match_any_sync(0xffffffff, keys[threadIdx.x] & 3);
  peers[__ffs(mask) - 1] = threadIdx.x;
}
