//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//race

// In a byte four times the number of one thread is that of another.

__global__ void k(int *out) {
  __shared__ unsigned char a[64];
  int t = threadIdx.x;
  a[t] = 8 * t;
  __syncthreads();
  out[a[t]] = t;
}
