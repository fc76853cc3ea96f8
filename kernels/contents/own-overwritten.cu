//pass
//--blockDim=64 --gridDim=1

// The place is used before another thread stores to the same cell, so the array has more
// than one writer for each cell.

__global__ void overwritten(int *out, int n) {
  __shared__ unsigned place[64];
  unsigned t = threadIdx.x;
  for (int i = 0; i < n; i++) {
    place[(t + i) % 64] = t;
    __syncthreads();
    out[place[(t + i) % 64]] = t;
    __syncthreads();
  }
}
