//pass
//--blockDim=64 --gridDim=1

// Candidate invariants, r9: a counter that runs down stays below its first value.

__global__ void from_the_top(int *out) {
  for (int i = 15; i >= 0; i--)
    out[16 * threadIdx.x + i] = i;
}
