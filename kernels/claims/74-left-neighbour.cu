//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//write-write-race

// The last thread below n uses what its neighbour would have claimed, had it not returned.

__global__ void shift(unsigned *out, unsigned n) {
  __shared__ unsigned a[64];
  __requires(n == 40);
  unsigned t = threadIdx.x;
  a[t] = 1;
  __syncthreads();
  if (t >= n)
    return;
  a[t] = t;
  __barrier_invariant_1(a[threadIdx.x] == threadIdx.x, t + 1);
  __syncthreads();
  if (t + 1 <= n & t + 1 < 64)
    out[a[t + 1]] = t;
}
