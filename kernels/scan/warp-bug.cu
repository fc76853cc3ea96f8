//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2
//divergence|deadlock

// The shuffle is inside the branch, so the lanes of its mask do not all take part.

__global__ void scan(int *data) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x & 31;
  int v = data[i];
  for (int d = 1; d < 32; d <<= 1) {
    if (lane >= d)
      v += __shfl_up_sync(0xffffffff, v, d);
    __syncwarp();
  }
  data[i] = v;
}
