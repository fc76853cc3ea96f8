//prove:refuted
//

// The cell to the left was written by an earlier iteration.

//@ requires \threads == 1 && 1 < n && n <= 100;
//@ ensures \forall int j; 1 <= j < n ==> c[j] == \old(c[j - 1]);
__global__ void k(int *c, int n) {
  for (int i = 1; i < n; i++) { c[i] = c[i - 1]; }
}
