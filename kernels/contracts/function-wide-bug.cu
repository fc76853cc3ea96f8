//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=2
//invariant-failed

// The statement is false at both loops for n = 64. The variable that it speaks of is
// computed behind them and has no value there; its meaning counts.

__global__ void rows(int *out, int n) {
  __requires(n > 0 && n <= 64);
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += i;
  for (int k = n; k > 0; k--)
    sum -= k;
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
  int half = n / 2;
  __function_wide_invariant(half < 32);
}
