//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=1
//barrier-divergence

// Lanes of one warp leave a loop at different times, while others wait in it for all lanes.

__global__ void lanes(int *to) {
  for (int i = 0; i < (int)(threadIdx.x % 3); i++) {
    __syncwarp();
    to[threadIdx.x] = i;
  }
}
