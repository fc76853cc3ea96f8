//prove:refuted
//

// Large values become the lower limit.

//@ requires 0 <= n && n <= \threads && lo <= hi;
//@ ensures \forall int j; 0 <= j < n ==> c[j] == (a[j] < lo ? lo : a[j] > hi ? hi : a[j]);
__global__ void clamp(int *c, const int *a, int lo, int hi, int n) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n) {
    int v = a[i];
    if (v < lo) v = lo;
    if (v > hi) v = lo;
    c[i] = v;
  }
}
