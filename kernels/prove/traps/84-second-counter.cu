//prove:unproven
//

// A second counter of the loop wraps at j = 65536; no run is that long.

//@ requires 0 <= n && n <= 100000 && \threads == 1;
//@ ensures \forall int j; 0 <= j < n ==> c[j] == 65536 * j;
__global__ void multiples(unsigned *c, int n) {
  unsigned b = 0;
  for (int a = 0; a < n; a++) {
    c[a] = b;
    b += 65536;
  }
}
