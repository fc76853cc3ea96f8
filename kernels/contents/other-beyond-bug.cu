//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//race

// No thread of the block stored the cells that are read: what they hold is unknown.

__global__ void other_beyond(int *out, unsigned *place) {
  unsigned t = threadIdx.x;
  place[t] = t;
  __syncthreads();
  out[place[64 + t] & 63] = t;
}
