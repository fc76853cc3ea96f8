//pass
//--blockDim=32 --gridDim=1

// The upper lanes read what nobody writes.

__global__ void masked(int *out) {
  __shared__ int s[32];
  int lane = threadIdx.x;
  if (lane < 16) {
    __syncwarp(0xffff);
    s[lane] = 1;
  } else {
    out[lane] = s[lane];
  }
}
