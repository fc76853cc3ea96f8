//xfail:UNPROVEN
//--blockDim=64 --gridDim=1

// Threads write the array in the interval in which the snapshot is taken: it may hold the old
// or the new element. Runs take no snapshots, so they show nothing of it.

__global__ void written(unsigned *out) {
  __shared__ unsigned s[64];
  __shared__ unsigned before[64];
  unsigned t = threadIdx.x;
  s[t] = 0;
  __cell_invariant(s, k, k >= 64 | s[k] == 0);
  __syncthreads();
  __array_snapshot(before, s);
  s[t] = 1;
  __syncthreads();
  __unsafe_assert(before[63 - t] == 0);
  out[t] = s[t];
}
