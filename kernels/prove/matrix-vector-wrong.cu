//prove:refuted
//

// Always the same element of the vector.

//@ requires 0 <= w && 0 <= h && h <= \threads && w * h <= INT_MAX;
//@ ensures \forall int i; 0 <= i < h ==> y[i] == \sum(int k; 0 <= k < w; a[i * w + k] * x[k]);
__global__ void matrix_vector(float *y, const float *a, const float *x, int w, int h) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < h) {
    float s = 0;
    for (int k = 0; k < w; k++) { s += a[i * w + k] * x[i]; }
    y[i] = s;
  }
}
