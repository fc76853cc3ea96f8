//prove:refuted
//

// Width and height may both be negative.

//@ requires h < 0 && w < 0 && n == h * w && n + \threads <= INT_MAX;
//@ ensures \forall int j; 0 <= j < n ==> c[j] == a[j];
__global__ void k(int *c, const int *a, int n, int h, int w) {
  for (int r = blockDim.x * blockIdx.x + threadIdx.x; r < h; r += blockDim.x * gridDim.x) {
    for (int m = 0; m < w; m++) { c[r * w + m] = a[r * w + m]; }
  }
}
