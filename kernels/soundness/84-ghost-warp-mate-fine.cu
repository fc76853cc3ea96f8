//pass
//--blockDim=64 --gridDim=1

// The cell that the thread writes after the warp's barrier is its own from there on.

__global__ void warp_mate() {
  __shared__ int s[64];
  unsigned t = threadIdx.x;
  s[t] = 0;
  __syncwarp();
  s[t ^ 1] = 1;
  __unsafe_assert(s[t ^ 1] == 1);
}
