//prove:refuted
//

// It starts from zero, so rows of negative elements are wrong.
//@ requires 0 < w && 0 <= h <= \threads && w * h <= INT_MAX;
//@ ensures \forall int i; 0 <= i < h ==> y[i] == \max(int k; 0 <= k < w; a[i * w + k]);
__global__ void row_maximum(int *y, const int *a, int w, int h) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < h) {
    int m = 0;
    for (int k = 0; k < w; k++) {
      if (a[i * w + k] > m) {
        m = a[i * w + k];
      }
    }
    y[i] = m;
  }
}
