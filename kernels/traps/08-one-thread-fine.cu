//pass
//--blockDim=1 --gridDim=1

// One thread cannot race, and the assertion is true.

__global__ void lonely(int *out, int n) {
  __assert(n > 0 || n <= 0);
  *out = n;
}
