//prove:unproven
//

// A sum that goes wrong only at its millionth term.

//@ requires 0 <= w && 0 <= h && h <= \threads && w * h <= INT_MAX;
//@ ensures \forall int i; 0 <= i < h ==> y[i] == (int)\sum(int k; 0 <= k < w; a[i * w + k]);
__global__ void row_sum(int *y, const int *a, int w, int h) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < h) {
    int s = 0;
    for (int k = 0; k < w; k++) { s += a[i * w + k] + (k == 1000000); }
    y[i] = s;
  }
}
