//pass
//--blockDim=32 --gridDim=1

// The upper lanes read their own cells.

__global__ void masked(int *out) {
  __shared__ int s[32];
  int lane = threadIdx.x;
  s[lane] = 0;
  __syncwarp();
  if (lane < 16) {
    __syncwarp(0xffff);
    s[lane] = 1;
  } else {
    out[lane] = s[lane];
  }
}
