//xfail:NOT_ALL_VERIFIED
//--blockDim=[48,2] --gridDim=1

// Rows of 48 threads: the second warp has lanes of both rows, which go round differently often
// and do not all come to its exchange.

__global__ void rows(unsigned *out, const unsigned *in) {
  unsigned id = threadIdx.y * blockDim.x + threadIdx.x;
  unsigned sum = in[id];
  for (unsigned k = 0; k < 4 * threadIdx.y + threadIdx.x / 32; k++)
    if ((threadIdx.y + k) % 2 == 0)
      sum += __shfl_xor_sync(0xffffffff, sum, 1);
  out[id] = sum;
}
