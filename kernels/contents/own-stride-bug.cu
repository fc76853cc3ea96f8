//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//race

// Six and 64 have.

__global__ void own_stride(int *out) {
  __shared__ unsigned place[64];
  unsigned t = threadIdx.x;
  place[t] = (6 * t + 3) % 64;
  __syncthreads();
  out[place[t]] = t;
}
