//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//barrier-invariant-permission

// The read that is to permit the claim races with the neighbour's write.

__global__ void k(int *out) {
  __shared__ int a[64];
  unsigned t = threadIdx.x;

  unsigned next = (t + 1) & 63;
  a[t] = 0;
  __barrier_invariant_1(a[threadIdx.x] == 0, next);
  __syncthreads();
  a[t] = 1;
  __read_permission(int, a[(threadIdx.x + 1) & 63]);
  __barrier_invariant_1(a[(threadIdx.x + 1) & 63] == 0, threadIdx.x);
  __syncthreads();
  if (a[next])
    out[0] = t;
}
