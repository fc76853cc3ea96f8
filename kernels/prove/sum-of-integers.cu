//prove:proved
//

// Sums of mathematical integers: of a wide variable exactly, of a narrow one assuming that nothing overflows.
//@ requires 0 <= w && 0 <= h <= \threads && w * h <= INT_MAX;
//@ ensures \forall int i; 0 <= i < h ==> y[i] == \sum(int k; 0 <= k < w; a[i * w + k]);
//@ ensures \forall int i; 0 <= i < h ==> z[i] == \count(int k; 0 <= k < w; a[i * w + k] > 0);
__global__ void rows(long long *y, int *z, const int *a, int w, int h) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < h) {
    long long s = 0;
    int c = 0;
    for (int k = 0; k < w; k++) {
      s += a[i * w + k];
      if (a[i * w + k] > 0) {
        c++;
      }
    }
    y[i] = s;
    z[i] = c;
  }
}
