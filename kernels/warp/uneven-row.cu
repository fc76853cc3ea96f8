//pass
//--blockDim=[64,2] --gridDim=1

// Rows of 64 threads hold two warps each, so a condition on the row is the same for all lanes,
// and each warp comes to its exchange together, however often its row goes round.

__global__ void rows(unsigned *out, const unsigned *in) {
  unsigned id = threadIdx.y * blockDim.x + threadIdx.x;
  unsigned sum = in[id];
  for (unsigned k = 0; k < 4 * threadIdx.y + threadIdx.x / 32; k++)
    if ((threadIdx.y + k) % 2 == 0)
      sum += __shfl_xor_sync(0xffffffff, sum, 1);
  out[id] = sum;
}
