//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1

// The mask looks like that of a tile of 8 lanes, but begins at the thread's own lane: lanes name
// different ones, and no two of them the same.
__global__ void shifted(int *out) {
  __shared__ int x[64];
  unsigned lane = threadIdx.x % 32;
  x[threadIdx.x] = threadIdx.x;
  __syncwarp(0xffu << (lane & ~3u));
  out[threadIdx.x] = x[threadIdx.x ^ 7];
}
