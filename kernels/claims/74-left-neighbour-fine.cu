//pass
//--blockDim=64 --gridDim=1

// Threads from n on return before the barrier. The others claim something, and it is used for a
// thread that is below n too.

__global__ void shift(unsigned *out, unsigned n) {
  __shared__ unsigned a[64];
  unsigned t = threadIdx.x;
  if (t >= n)
    return;
  a[t] = t;
  __barrier_invariant_1(a[threadIdx.x] == threadIdx.x, t + 1);
  __syncthreads();
  if (t + 1 < n & t + 1 < 64)
    out[a[t + 1]] = t;
}
