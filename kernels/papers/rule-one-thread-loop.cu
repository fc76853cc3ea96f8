//pass
//--blockDim=64 --gridDim=1

// Candidate invariants, r4 and r5: one thread enters the loop, so no other is in it or has
// something logged.

__global__ void one_thread(int *out) {
  if (threadIdx.x == 0)
    for (int i = 0; i < 64; i++)
      out[i] = threadIdx.x;
}
