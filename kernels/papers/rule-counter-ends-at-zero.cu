//pass
//--blockDim=64 --gridDim=1

// Candidate invariants, r8: a counter that never gets below zero is zero behind the loop,
// although it does not stay below its first value.

__global__ void ends_at_zero(int *out) {
  int i = threadIdx.x;
  int again = 1;
  while (i > 0) {
    if (i == 1 && again == 1) {
      i = 70;
      again = 0;
    } else {
      i--;
    }
  }
  out[threadIdx.x + i] = threadIdx.x;
}
