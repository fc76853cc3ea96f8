//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//race

// Five bits are left of six.

__global__ void own_bits(int *out) {
  __shared__ unsigned place[64];
  unsigned t = threadIdx.x;
  place[t] = __brev(t) >> 27;
  __syncthreads();
  out[place[t]] = t;
}
