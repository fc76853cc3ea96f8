//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//race

// Those that stored nothing use what is there.

__global__ void own_guarded(int *out, const int *wanted) {
  __shared__ unsigned place[64];
  unsigned t = threadIdx.x;
  int want = wanted[t];
  if (want > 0)
    place[t] = 2 * t;
  __syncthreads();
  out[place[t] & 127] = want;
}
