//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//write-write-race

// One of the two may have returned.

__global__ void shift(unsigned *out, unsigned n) {
  __shared__ unsigned a[64];
  __requires(n == 40);
  unsigned t = threadIdx.x;
  a[t] = 4;
  __syncthreads();
  if (t >= n)
    return;
  a[t] = t ^ 5;
  __barrier_invariant_binary_0(__distinct_int(a[threadIdx.x]));
  __syncthreads();
  if (t + 1 <= n & t + 1 < 64)
    out[a[t + 1]] = t;
}
