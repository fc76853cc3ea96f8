//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=1
//read-write-race

// The mask leaves out the upper eight of the sixteen lanes.

__global__ void lower_half(int *data) {
  __shared__ int s[32];
  int lane = threadIdx.x;
  if (lane < 16) {
    s[lane] = data[lane];
    if (lane < 8)
      __syncwarp(0x000000ff);
    data[lane] = s[15 - lane];
  } else {
    data[lane] = -1;
  }
}
