//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//race

// Half of the places are stored twice.

__global__ void other_shifted(int *out) {
  __shared__ unsigned place[64];
  unsigned t = threadIdx.x;
  place[(t + 1) % 64] = t & 31;
  __syncthreads();
  out[place[63 - t]] = t;
}
