//prove:refuted
//

// The inner loop makes another number of trips in each iteration of the outer one.

//@ requires 1 <= \threads && 0 <= n && n <= 1000;
//@ ensures c[0] == (int)\sum(int k; 0 <= k < 100 * n; a[k]);
__global__ void k(int *c, const int *a, int n) {
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    int s = 0;
    for (int p = 0; p < n; p++) {
      for (int q = 0; q < 100 - (p == 2); q++) { s += a[100 * p + q]; }
    }
    c[0] = s;
  }
}
