//prove:proved
//

// The sum of each row as mathematical integers, which a wide variable holds.

//@ requires 0 <= w && 0 <= h <= \threads && w * h <= INT_MAX;
//@ ensures \forall int i; 0 <= i < h ==> y[i] == \sum(int k; 0 <= k < w; a[i * w + k]);
__global__ void rows(long long *y, const int *a, int w, int h) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < h) {
    long long s = 0;
    for (int k = 0; k < w; k++) {
      s += a[i * w + k];
    }
    y[i] = s;
  }
}
