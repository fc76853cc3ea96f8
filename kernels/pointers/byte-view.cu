//pass
//--blockDim=64 --gridDim=2

// Each thread writes one byte of an array of words.

__global__ void bytes(unsigned *words) {
  unsigned char *b = (unsigned char *)words;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = i & 0xff;
}
