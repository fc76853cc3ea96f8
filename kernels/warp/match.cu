//pass
//--blockDim=32 --gridDim=1

// Lanes with equal keys find each other; each lane writes its own cell.

__global__ void groups(const int *keys, unsigned *peers) {
  unsigned mask = __match_any_sync(0xffffffff, keys[threadIdx.x] & 3);
  peers[threadIdx.x] = __popc(mask);
}
