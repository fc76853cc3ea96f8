//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=1
//write-write-race

// Nothing is known about the scan's result.

__global__ void compact(const int *data, const int *flag, const int *idx, int *out) {
  int t = threadIdx.x;
  if (flag[t])
    out[idx[t]] = t;
}
