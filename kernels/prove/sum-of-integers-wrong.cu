//prove:refuted
//

// The sum is cut to 32 bits, which the contract does not say.
//@ requires 0 <= w && 0 <= h <= \threads && w * h <= INT_MAX;
//@ ensures \forall int i; 0 <= i < h ==> y[i] == \sum(int k; 0 <= k < w; a[i * w + k]);
__global__ void rows(unsigned *y, const int *a, int w, int h) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < h) {
    unsigned s = 0;
    for (int k = 0; k < w; k++) {
      s += a[i * w + k];
    }
    y[i] = s;
  }
}
