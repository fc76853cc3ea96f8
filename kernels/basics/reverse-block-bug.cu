//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2
//read-write-race

// The barrier is missing.

__global__ void reverse(int *d) {
  __shared__ int s[64];
  int t = threadIdx.x;
  int base = blockIdx.x * blockDim.x;
  s[t] = d[base + t];
  d[base + t] = s[blockDim.x - 1 - t];
}
