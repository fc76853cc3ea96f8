//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//race

// The neighbour's place is used as well.

__global__ void own_later(int *out) {
  __shared__ unsigned place[64];
  unsigned t = threadIdx.x;
  place[t] = t ^ 21;
  __syncthreads();
  unsigned to = place[t];
  __syncthreads();
  place[to] = t;
  out[to] = place[to ^ 1];
}
