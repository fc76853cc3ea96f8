//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2
//race

// Setting the byte by reading and writing the whole word touches the neighbours' bytes.

__global__ void bytes(unsigned *words) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  words[i / 4] = (words[i / 4] & ~(0xffu << (i % 4 * 8))) | ((i & 0xff) << (i % 4 * 8));
}
