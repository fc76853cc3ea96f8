//prove:unproven
//

// The sum as `int` is negative where the variable, which has no sign, is not.

//@ requires 0 <= n && n <= \threads && 0 <= m;
//@ ensures \forall int j; 0 <= j < n ==> c[j] >= 0;
__global__ void k(unsigned *c, const unsigned *a, int n, int m) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n) {
    unsigned x = 0;
    //@ loop invariant x == (int)\sum(int j; 0 <= j < loop_count; a[j]);
    for (int k = 0; k < m; k++) { x += a[k]; }
    c[i] = x;
  }
}
