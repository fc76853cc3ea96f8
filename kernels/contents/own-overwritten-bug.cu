//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//race

// The cell that is read back is the neighbour's in every iteration but the first.

__global__ void overwritten(int *out, int n) {
  __shared__ unsigned place[64];
  unsigned t = threadIdx.x;
  for (int i = 0; i < n; i++) {
    place[(t + i) % 64] = t / 2;
    __syncthreads();
    out[place[(t + 2 * i) % 64]] = t;
    __syncthreads();
  }
}
