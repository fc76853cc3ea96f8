//prove:proved
//

// A second counter of the loop, which does not wrap.

//@ requires 0 <= n && n <= 100000 && \threads == 1;
//@ ensures \forall int j; 0 <= j < n ==> c[j] == 7 * j;
__global__ void multiples(int *c, int n) {
  int b = 0;
  for (int a = 0; a < n; a++) {
    c[a] = b;
    b += 7;
  }
}
