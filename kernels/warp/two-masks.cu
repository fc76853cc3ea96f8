//pass
//--blockDim=32 --gridDim=1

// Each half of the warp has its own mask and its own part of the array.

__global__ void halves(const int *in, int *out) {
  __shared__ int s[32];
  int lane = threadIdx.x;
  s[lane] = in[lane];
  if (lane < 16)
    __syncwarp(0x0000ffff);
  else
    __syncwarp(0xffff0000);
  out[lane] = s[lane ^ 15];
}
