//pass
//--blockDim=1 --gridDim=16

// Candidate invariants, r2 and r3: a block writes at two offsets, which stay between its bounds.

__global__ void ranges(int *out) {
  for (int i = 0; i < 8; i++) {
    out[8 * blockIdx.x + i] = blockIdx.x;
    out[8 * blockIdx.x + 7 - i] = blockIdx.x;
  }
}
