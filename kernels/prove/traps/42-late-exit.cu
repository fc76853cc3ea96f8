//prove:unproven
//

// The outer loop is left after its hundred thousandth iteration, behind the inner one.

//@ requires 1 <= \threads && 0 <= n && n <= 1000000;
//@ ensures c[0] == (int)\sum(int k; 0 <= k < 100 * n; a[k]);
__global__ void k(int *c, const int *a, int n) {
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    int s = 0;
    for (int p = 0; p < n; p++) {
      for (int q = 0; q < 100; q++) { s += a[100 * p + q]; }
      if (p == 100000) { break; }
    }
    c[0] = s;
  }
}
