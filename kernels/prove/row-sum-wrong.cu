//prove:refuted
//

// The last element of a row is left out.

//@ requires 0 <= w && 0 <= h && h <= \threads && w * h <= INT_MAX;
//@ ensures \forall int i; 0 <= i < h ==> y[i] == \sum(int k; 0 <= k < w; a[i * w + k]);
__global__ void row_sum(float *y, const float *a, int w, int h) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < h) {
    float s = 0;
    for (int k = 0; k + 1 < w; k++) { s += a[i * w + k]; }
    y[i] = s;
  }
}
