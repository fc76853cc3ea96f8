//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2
//divergence|deadlock

// The shuffle names all lanes, but only the odd ones reach it.

__global__ void broadcast(const int *in, int *out) {
  int lane = threadIdx.x & 31;
  int v = 0;
  if (lane == 0)
    v = in[(blockIdx.x * blockDim.x + threadIdx.x) / 32];
  if (lane & 1)
    v = __shfl_sync(0xffffffff, v, 1);
  __syncwarp();
  out[blockIdx.x * blockDim.x + threadIdx.x] = v + lane;
}
