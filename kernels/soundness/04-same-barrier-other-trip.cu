//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//barrier-divergence

// Odd and even threads skip different rounds. They then wait at the same barrier in
// different rounds, where a test of the counter, the same for all in one round, goes
// different ways.

__global__ void other_trip() {
  int tid = threadIdx.x;
  for (int i = 0;; i++) {
    if (i == (tid & 1))
      continue;
    __syncthreads();
    if (i == 1)
      __syncthreads();
    __syncthreads();
  }
}
