//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//race

// Two threads store the same place.

__global__ void other_global(int *__restrict__ out, unsigned *__restrict__ place) {
  unsigned t = threadIdx.x;
  place[t] = t & 21;
  __syncthreads();
  out[place[63 - t]] = t;
}
