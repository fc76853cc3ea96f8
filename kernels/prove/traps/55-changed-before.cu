//prove:unproven
//

// The condition changes the variable, so that at the head it is not what the body sees.

//@ requires 0 <= n && n <= \threads && 0 <= m && m <= 100;
//@ ensures \forall int j; 0 <= j < n ==> c[j] >= 1;
__global__ void k(int *c, int n, int m) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n) {
    int x = 0;
    //@ loop invariant x >= 1;
    while (x++ < m) { }
    c[i] = x;
  }
}
