//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//race

// They are written meanwhile.

__global__ void other_later(int *out) {
  __shared__ unsigned place[64];
  unsigned t = threadIdx.x;
  place[t] = t;
  __syncthreads();
  place[t ^ 1] = 1;
  __syncthreads();
  out[place[63 - t]] = t;
}
