//pass
//--blockDim=64 --gridDim=2

// Inclusive scan of every warp by shuffles.

__global__ void scan(int *data) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x & 31;
  int v = data[i];
  for (int d = 1; d < 32; d <<= 1) {
    int left = __shfl_up_sync(0xffffffff, v, d);
    if (lane >= d)
      v += left;
  }
  data[i] = v;
}
