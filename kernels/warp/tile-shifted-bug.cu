//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1

// The mask looks like that of a tile of 8 lanes, but begins at a multiple of 4: the two halves
// of a tile name different lanes.
__global__ void shifted(int *out) {
  __shared__ int x[64];
  unsigned lane = (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % 32;
  x[threadIdx.x] = threadIdx.x;
  __syncwarp(0xffu << (lane & ~3u));
  out[threadIdx.x] = x[threadIdx.x ^ 7];
}
