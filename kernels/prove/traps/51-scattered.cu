//prove:unproven
//

// The check does not know that indices differ, and its runs that break that refute nothing.
//@ requires 0 <= n <= \threads;
//@ requires \forall int i, j; 0 <= i < n && 0 <= j < n && i != j ==> idx[i] != idx[j];
//@ requires \forall int j; 0 <= j < n ==> 0 <= idx[j];
//@ ensures \forall int j; 0 <= j < n ==> out[idx[j]] == in[j];
__global__ void scatter(float *out, const float *in, const int *idx, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    out[idx[i]] = in[i];
  }
}
