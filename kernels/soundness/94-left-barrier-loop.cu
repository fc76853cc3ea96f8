//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//barrier-divergence

// Threads leave the loop after different numbers of iterations and return, while others wait
// at the barrier in it. No later barrier is missed, but a device that unrolls the loop hangs.

__global__ void staggered(int *to) {
  __shared__ int row[64];
  row[threadIdx.x] = threadIdx.x;
  __syncthreads();
  for (int i = 0; i < 3 + (int)(threadIdx.x % 4); i++) {
    to[threadIdx.x] += row[63 - threadIdx.x];
    __syncthreads();
  }
}
