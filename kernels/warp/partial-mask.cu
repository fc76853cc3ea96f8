//pass
//--blockDim=32 --gridDim=1

// Only the lower half of the warp communicates, under a mask of its own lanes.

__global__ void lower_half(int *data) {
  __shared__ int s[32];
  int lane = threadIdx.x;
  if (lane < 16) {
    s[lane] = data[lane];
    __syncwarp(0x0000ffff);
    data[lane] = s[15 - lane];
  } else {
    data[lane] = -1;
  }
}
