//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//race

// The second choice of a thread is the first of the next.

__global__ void k(int *out, const int *in) {
  __shared__ int a[64];
  int t = threadIdx.x;
  a[t] = 2 * t + 2 * (in[t] > 0);
  __syncthreads();
  out[a[t]] = t;
}
