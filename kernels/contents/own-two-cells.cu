//pass
//--blockDim=64 --gridDim=1

// Each thread stores two places.

__global__ void own_two(int *out) {
  __shared__ unsigned place[128];
  unsigned t = threadIdx.x;
  place[2 * t] = t;
  place[2 * t + 1] = 127 - t;
  __syncthreads();
  out[place[2 * t]] = t;
  out[place[2 * t + 1]] = t;
}
