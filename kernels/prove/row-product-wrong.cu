//prove:refuted
//

// It starts from two.
//@ requires 0 <= w && 0 <= h <= \threads && w * h <= INT_MAX;
//@ ensures \forall int i; 0 <= i < h ==> y[i] == \prod(int k; 0 <= k < w; a[i * w + k]);
__global__ void row_product(float *y, const float *a, int w, int h) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < h) {
    float p = 2;
    for (int k = 0; k < w; k++) {
      p *= a[i * w + k];
    }
    y[i] = p;
  }
}
