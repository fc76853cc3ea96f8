//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//race

// Planted bug: most counters start below zero.

__global__ void ends_at_zero(int *out) {
  int i = 1 - threadIdx.x;
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
