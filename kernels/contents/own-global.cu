//pass
//--blockDim=64 --gridDim=1

// The places are kept in global memory.

__global__ void own_global(int *out, unsigned *place) {
  unsigned t = threadIdx.x;
  place[t] = t ^ 33;
  __syncthreads();
  unsigned to = place[t];
  out[to] = t;
}
