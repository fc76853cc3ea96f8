//pass
//--blockDim=32 --gridDim=2

// What holds at every loop is stated once, at the end. A guess that does not hold is
// dropped.

__global__ void rows(int *out, int n) {
  __requires(n > 0 && n <= 64);
  int sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      sum += j;
  for (int k = n; k > 0; k--)
    sum -= k;
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
  __function_wide_invariant((n > 0) & (n <= 64));
  __function_wide_candidate_invariant(threadIdx.x * 2 < 2 * blockDim.x);
  __function_wide_candidate_invariant(n == 3);
}
