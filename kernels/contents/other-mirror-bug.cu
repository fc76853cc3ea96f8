//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//race

// Two threads store the same place.

__global__ void other_mirror(int *out) {
  __shared__ unsigned place[64];
  unsigned t = threadIdx.x;
  place[t] = t / 2;
  __syncthreads();
  out[place[63 - t]] = t;
}
