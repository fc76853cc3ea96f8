//pass
//--blockDim=64 --gridDim=1

// The place is loaded in one interval and used in the next.

__global__ void own_later(int *out) {
  __shared__ unsigned place[64];
  unsigned t = threadIdx.x;
  place[t] = t ^ 21;
  __syncthreads();
  unsigned to = place[t];
  __syncthreads();
  place[to] = t;
  out[to] = t;
}
