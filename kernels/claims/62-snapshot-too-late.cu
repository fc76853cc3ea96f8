//xfail:UNPROVEN
//--blockDim=64 --gridDim=1

// The copy is named before the snapshot: what is known of it there is not known of the
// snapshot. Runs take no snapshots, so they show nothing of it.

__global__ void named_before(int *out, const int *in) {
  __shared__ int s[64];
  __shared__ int before[64];
  unsigned t = threadIdx.x;
  s[t] = in[t];
  __assume(before[t] == 5);
  __barrier_invariant_1(before[threadIdx.x] == 5, threadIdx.x);
  __syncthreads();
  __array_snapshot(before, s);
  __unsafe_assert(s[t] == 5);
  out[t] = s[t];
}
