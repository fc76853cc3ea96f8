//xfail:NOT_ALL_VERIFIED
//--blockDim=[8,8] --gridDim=1
//race

// Two threads with ids exchanged have the same sum.

__global__ void k(int *out) {
  __shared__ int a[64];
  int f = threadIdx.x + 8 * threadIdx.y;
  a[f] = threadIdx.y + threadIdx.x;
  __syncthreads();
  out[a[f]] = f;
}
