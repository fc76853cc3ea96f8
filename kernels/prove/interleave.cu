//prove:proved
//

// Two arrays as one, element by element.

//@ requires 0 <= n && n <= \threads && 2 * n <= INT_MAX;
//@ ensures \forall int j; 0 <= j < n ==> c[2 * j] == a[j] && c[2 * j + 1] == b[j];
//@ assigns c[0 .. 2 * n - 1];
__global__ void interleave(float *c, const float *a, const float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) { c[2 * i] = a[i]; c[2 * i + 1] = b[i]; }
}
