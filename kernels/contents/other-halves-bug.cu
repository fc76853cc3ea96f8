//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//race

// The two halves store the same places.

__global__ void other_halves(int *out) {
  __shared__ unsigned place[64];
  unsigned t = threadIdx.x;
  if (t < 32)
    place[t] = 2 * t;
  else
    place[t] = 2 * (t - 32);
  __syncthreads();
  out[place[63 - t]] = t;
}
