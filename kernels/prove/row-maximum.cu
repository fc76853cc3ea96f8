//prove:proved
//

// The greatest element of each row; the first one starts it.
//@ requires 0 < w && 0 <= h <= \threads && w * h <= INT_MAX;
//@ ensures \forall int i; 0 <= i < h ==> y[i] == \max(int k; 0 <= k < w; a[i * w + k]);
__global__ void row_maximum(int *y, const int *a, int w, int h) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < h) {
    int m = a[i * w];
    for (int k = 1; k < w; k++) {
      int v = a[i * w + k];
      m = m < v ? v : m;
    }
    y[i] = m;
  }
}
