//xfail:UNPROVEN
//--blockDim=64 --gridDim=1

// As 65-snapshot-sum-fine, with a sum of one element more.

__global__ void in_place(int *out, const int *in) {
  __shared__ int s[64];
  __shared__ int first[64];
  unsigned t = threadIdx.x;
  s[t] = 3 * in[t];
  __syncthreads();
  __array_snapshot(first, s);
  int v = s[t];
  if (t >= 1)
    v += s[t - 1];
  __syncthreads();
  s[t] = v;
  __barrier_invariant_0(s[threadIdx.x] == __sum_add(first, __ite(threadIdx.x > 1, threadIdx.x - 2, 0u), threadIdx.x + 1));
  __syncthreads();
  out[t] = s[63 - t];
}
