//prove:unproven
//

// Each iteration keeps the invariant, but it is false on entry.

//@ requires 0 <= n && n <= \threads && 1 <= m;
//@ ensures \forall int j; 0 <= j < n ==> c[j] <= 2 * m + 1;
__global__ void k(int *c, int n, int m) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n) {
    int x = 0;
    //@ loop invariant x == 2 * loop_count + 1;
    for (int k = 0; k < m; k++) { x = x + 2; }
    c[i] = x;
  }
}
