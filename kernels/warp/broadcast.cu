//pass
//--blockDim=64 --gridDim=2

// Lane 0 reads; the others get its value by a shuffle.

__global__ void broadcast(const int *in, int *out) {
  int lane = threadIdx.x & 31;
  int v = 0;
  if (lane == 0)
    v = in[(blockIdx.x * blockDim.x + threadIdx.x) / 32];
  v = __shfl_sync(0xffffffff, v, 0);
  out[blockIdx.x * blockDim.x + threadIdx.x] = v + lane;
}
