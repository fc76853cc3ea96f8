//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//race

// An or is no permutation.

__global__ void own_xor(int *out, unsigned key) {
  __shared__ unsigned place[64];
  unsigned t = threadIdx.x;
  place[t] = t | (key & 63);
  __syncthreads();
  out[place[t]] = t;
}
