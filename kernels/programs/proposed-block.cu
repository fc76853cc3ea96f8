//xfail:UNPROVEN
//
//does not show whether that can be

// The runtime proposes the block's size. One that is no multiple of 32 would make warps of
// two blocks write one element, but nobody knows of a device that proposes such a size.
__global__ void first_of_warps(int *out, const int *in) {
  int warp = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  if (threadIdx.x % 32 == 0) out[warp] = in[blockIdx.x * blockDim.x + threadIdx.x];
}

int main() {
  int blocks, threads;
  cudaOccupancyMaxPotentialBlockSize(&blocks, &threads, first_of_warps);
  int *out, *in;
  cudaMalloc(&out, 1 << 20);
  cudaMalloc(&in, 1 << 25);
  first_of_warps<<<blocks, threads>>>(out, in);
}
