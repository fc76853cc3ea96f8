//pass
//--blockDim=64 --gridDim=1

// What two threads claim is used for two others, which both come to the barrier.

__global__ void shift(unsigned *out, unsigned n) {
  __shared__ unsigned a[64];
  unsigned t = threadIdx.x;
  if (t >= n)
    return;
  a[t] = t ^ 5;
  __barrier_invariant_binary_0(__distinct_int(a[threadIdx.x]));
  __syncthreads();
  if (t + 1 < n & t + 1 < 64)
    out[a[t + 1]] = t;
}
