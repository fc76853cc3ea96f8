//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2
//race

// Another block stores to the cell of global memory meanwhile.

__global__ void carried(int *out, int *cells) {
  unsigned t = threadIdx.x;
  cells[t] = 64 * blockIdx.x + t;
  __syncthreads();
  out[cells[t]] = t;
}
