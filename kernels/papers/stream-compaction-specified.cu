//pass
//--blockDim=32 --gridDim=1

// Barrier invariants, section 2: the last stage of stream compaction, with the scan's result taken as given.

__global__ void compact(const int *data, const int *flag, const int *idx, int *out) {
  int t = threadIdx.x;
  __assume(__implies(flag[t] != 0, idx[t] == t));
  if (flag[t])
    out[idx[t]] = data[t];
}
