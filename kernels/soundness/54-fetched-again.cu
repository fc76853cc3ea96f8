//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1 --no-refute
//race

// This load fetches again each time, because somebody else may have written.

__global__ void fetched(int *a, const int *p) {
  int x = __ldcv(p), y = __ldcv(p);
  if (x != y)
    a[0] = threadIdx.x;
}
