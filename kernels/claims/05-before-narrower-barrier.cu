//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1

// The cell was accessed before a barrier of the warp, and a warp-mate wrote it after.

__global__ void k(int *out) {
  __shared__ int a[64];
  unsigned t = threadIdx.x;

  a[t] = 0;
  __syncwarp();
  a[t ^ 1] = 1;
  __barrier_invariant_1(a[threadIdx.x] == 0, threadIdx.x);
  __syncthreads();
  out[a[t] ? 0 : t] = t;
}
