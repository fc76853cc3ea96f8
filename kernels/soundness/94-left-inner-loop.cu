//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//barrier-divergence

// The barrier is in the inner loop; the thread leaves the outer one from code between two
// runs of the inner loop.

__global__ void rounds(int *to) {
  for (int i = 0; i < 4; i++) {
    for (int j = 0; j < 2; j++)
      __syncthreads();
    if ((int)threadIdx.x == 16 * i)
      break;
  }
  to[threadIdx.x] = 1;
}
