//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//race

// A barrier of the warp lies between the store and that of a neighbour.

__global__ void carried(int *out) {
  __shared__ int s[64];
  unsigned t = threadIdx.x;
  s[t] = 0;
  __syncwarp();
  s[t ^ 1] = 1;
  __syncthreads();
  out[s[t] ? 0 : t] = t;
}
