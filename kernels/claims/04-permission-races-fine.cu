//pass
//--blockDim=64 --gridDim=1

// Nobody writes while the cell is read for the claim.

__global__ void k(int *out) {
  __shared__ int a[64];
  unsigned t = threadIdx.x;

  unsigned next = (t + 1) & 63;
  a[t] = 0;
  __barrier_invariant_1(a[threadIdx.x] == 0, next);
  __syncthreads();
  __read_permission(int, a[(threadIdx.x + 1) & 63]);
  __barrier_invariant_1(a[(threadIdx.x + 1) & 63] == 0, threadIdx.x);
  __syncthreads();
  if (a[next])
    out[0] = t;
}
