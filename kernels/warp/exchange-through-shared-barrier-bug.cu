//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2
//read-write-race

// One of the two warp barriers is missing.

__global__ void swap(int *data) {
  __shared__ int s[64];
  int t = threadIdx.x;
  int gid = blockIdx.x * blockDim.x + t;
  for (int round = 0; round < 3; round++) {
    s[t] = data[gid];
    __syncwarp();
    data[gid] = s[t ^ 1] + round;
  }
}
