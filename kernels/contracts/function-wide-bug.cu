//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=2
//assertion-failed

// What is said of all loops is false for n = 64. Whoever takes it for granted finds the
// assertion true.

__global__ void rows(int *out, int n) {
  __requires(n > 0 && n <= 64);
  int sum = 0;
  for (int i = 0; i < n; i++) {
    __assert(n / 2 < 32);
    sum += i;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
  int half = n / 2;
  __function_wide_invariant(half < 32);
}
