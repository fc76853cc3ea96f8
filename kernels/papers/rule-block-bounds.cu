//pass
//--blockDim=1 --gridDim=16

// Candidate invariants, r2 and r3: a block's writes stay between its own bounds.

#define C 4

__global__ void ranges(int *out) {
  for (int i = 0; i < C; i++)
    out[C * blockIdx.x + i] = blockIdx.x;
}
