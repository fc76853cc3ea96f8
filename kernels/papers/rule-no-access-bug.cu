//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//race

// Planted bug: no barrier between a read and the write of the next iteration.

__global__ void rotates(int *out) {
  __shared__ int s[64];
  int sum = 0;
  for (int i = 0; i < 16; i++) {
    s[(threadIdx.x + i) & 63] = i;
    __syncthreads();
    sum += s[(threadIdx.x + 2 * i) & 63];
  }
  out[threadIdx.x] = sum;
}
