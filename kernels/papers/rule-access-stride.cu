//pass
//--blockDim=32 --gridDim=1

// Candidate invariants, r1: writes are congruent to the thread's number modulo the block's size.

__global__ void strided(int *out) {
  for (int i = 0; i < 4; i++)
    out[i * blockDim.x + threadIdx.x] = i;
}
