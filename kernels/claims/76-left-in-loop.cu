//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//write-write-race

// Which threads returned is decided in a loop: nothing is known of what they claim.

__global__ void search(unsigned *out, unsigned n) {
  __shared__ unsigned a[64];
  __requires(n == 2);
  unsigned t = threadIdx.x;
  a[t] = 1;
  __syncthreads();
  for (unsigned i = 0; i < n; i++)
    if (t == 7 * i + 3)
      return;
  a[t] = t;
  __barrier_invariant_1(a[threadIdx.x] == threadIdx.x, t ^ 1);
  __syncthreads();
  out[a[t ^ 1]] = t;
}
