//pass
//--blockDim=64 --gridDim=1

// The index is kept in a byte.

__global__ void k(int *out) {
  __shared__ unsigned char a[64];
  int t = threadIdx.x;
  a[t] = 63 - t;
  __syncthreads();
  out[a[t]] = t;
}
