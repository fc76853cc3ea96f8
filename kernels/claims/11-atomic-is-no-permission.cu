//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1

// What an atomic operation found may change before the barrier.

__global__ void k(int *out) {
  __shared__ int a[64];
  unsigned t = threadIdx.x;

  if (t == 0)
    a[0] = 0;
  __syncthreads();
  int v = atomicAdd(&a[0], 1);
  __barrier_invariant_1(a[0] == v + 1, threadIdx.x);
  __syncthreads();
  out[a[0] == v + 1 ? t : 0] = t;
}
