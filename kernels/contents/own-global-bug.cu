//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//race

// The place is another thread's.

__global__ void own_global(int *out, unsigned *place) {
  unsigned t = threadIdx.x;
  place[t] = t ^ 33;
  __syncthreads();
  unsigned to = place[t & 62];
  out[to] = t;
}
