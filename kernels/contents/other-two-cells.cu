//pass
//--blockDim=64 --gridDim=1

// Each thread stores two places and reads one, which another stored.

__global__ void other_two_cells(int *out) {
  __shared__ unsigned place[128];
  unsigned t = threadIdx.x;
  place[t] = 2 * t;
  place[t + 64] = 2 * t + 1;
  __syncthreads();
  out[place[127 - t]] = t;
}
