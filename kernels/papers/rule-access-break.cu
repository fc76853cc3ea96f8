//pass
//--blockDim=64 --gridDim=1

// Candidate invariants, r0: the number of the thread can be read off the offset that it writes.

__global__ void rows(int *out) {
  for (int i = 0; i < 16; i++)
    out[16 * threadIdx.x + i] = i;
}
