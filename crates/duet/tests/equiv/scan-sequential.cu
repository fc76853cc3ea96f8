// One thread of each block adds up the block's elements.
__global__ void scan(int *out, const int *in) {
  __requires(__is_pow2(blockDim.x));
  if (threadIdx.x == 0) {
    int s = 0;
    for (unsigned k = 0; k < blockDim.x; k++) {
      s += in[blockIdx.x * blockDim.x + k];
      out[blockIdx.x * blockDim.x + k] = s;
    }
  }
}
