//prove:unproven
//

// The invariant holds on entry, and the second iteration breaks it.

//@ requires 0 <= n && n <= \threads && m == 2;
//@ ensures \forall int j; 0 <= j < n ==> c[j] <= 1;
__global__ void k(int *c, int n, int m) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n) {
    int x = 0;
    //@ loop invariant x == 0;
    for (int k = 0; k < m; k++) { x = x + (k == 1); }
    c[i] = x;
  }
}
