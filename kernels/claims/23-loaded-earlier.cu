//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1

// The claim relates the cell to what the thread loaded before it changed it.

__global__ void k(int *out) {
  __shared__ int a[64];
  unsigned t = threadIdx.x;

  unsigned next = (t + 1) & 63;
  a[t] = 0;
  __syncthreads();
  int v = a[t];
  a[t] = v + 1;
  __barrier_invariant_1(a[threadIdx.x] == v + 1, next);
  __syncthreads();
  out[0] = t;
}
