//prove:unproven
//

// After a hundred thousand iterations the inner loop makes one trip less.

//@ requires 1 <= \threads && 0 <= n && n <= 1000000;
//@ ensures c[0] == (int)\sum(int k; 0 <= k < 100 * n; a[k]);
__global__ void k(int *c, const int *a, int n) {
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    int s = 0;
    for (int p = 0; p < n; p++) {
      for (int q = 0; q < 100 - (p > 100000); q++) { s += a[100 * p + q]; }
    }
    c[0] = s;
  }
}
