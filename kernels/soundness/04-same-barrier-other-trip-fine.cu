//pass
//--blockDim=64 --gridDim=1

// All threads skip the same round.

__global__ void other_trip(int c) {
  for (int i = 0; i < 8; i++) {
    if (i == c)
      continue;
    __syncthreads();
    if (i == 1)
      __syncthreads();
    __syncthreads();
  }
}
