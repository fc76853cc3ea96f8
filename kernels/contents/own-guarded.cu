//pass
//--blockDim=64 --gridDim=1

// Some threads store a place and use it later under the same condition.

__global__ void own_guarded(int *out, const int *wanted) {
  __shared__ unsigned place[64];
  unsigned t = threadIdx.x;
  int want = wanted[t];
  if (want > 0)
    place[t] = 2 * t;
  __syncthreads();
  if (want > 0)
    out[place[t]] = want;
}
