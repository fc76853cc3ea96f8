//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=1

// Planted bug: every lane comes by and is in the mask that it names, but the lanes
// name different masks and wait for lanes that never join.

__global__ void differs(const int *in, int *out) {
  int lane = threadIdx.x;
  unsigned mask = lane < 16 ? 0xffffffff : 0xffff0000;
  out[lane] = __shfl_sync(mask, in[lane], 16);
}
