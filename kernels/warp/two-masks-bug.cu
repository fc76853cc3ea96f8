//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=1
//read-write-race

// The partner is in the other half, which the mask does not name.

__global__ void halves(const int *in, int *out) {
  __shared__ int s[32];
  int lane = threadIdx.x;
  s[lane] = in[lane];
  if (lane < 16)
    __syncwarp(0x0000ffff);
  else
    __syncwarp(0xffff0000);
  out[lane] = s[lane ^ 31];
}
