//pass
//--blockDim=32 --gridDim=1

// Candidate invariants, r8 and r9: the counter runs down from its first value and stays positive.

__global__ void downwards(int *out) {
  for (int i = 8; i > 0; i--)
    out[threadIdx.x * 8 + i - 1] = i;
}
