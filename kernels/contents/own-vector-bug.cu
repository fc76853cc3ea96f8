//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//race

// Four threads have the same index.

__global__ void k(int *out) {
  __shared__ int2 a[64];
  int t = threadIdx.x;
  a[t] = make_int2(t, t / 4);
  __syncthreads();
  out[a[t].y] = a[t].x;
}
