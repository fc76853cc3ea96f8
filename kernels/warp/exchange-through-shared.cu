//pass
//--blockDim=64 --gridDim=2

// Neighbouring lanes swap values through shared memory, ordered by warp barriers.

__global__ void swap(int *data) {
  __shared__ int s[64];
  int t = threadIdx.x;
  int gid = blockIdx.x * blockDim.x + t;
  for (int round = 0; round < 3; round++) {
    s[t] = data[gid];
    __syncwarp();
    data[gid] = s[t ^ 1] + round;
    __syncwarp();
  }
}
