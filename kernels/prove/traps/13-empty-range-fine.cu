//prove:proved
//

// A sum whose ends are in the wrong order is zero.

//@ requires -1000 <= n && n <= 1000;
//@ ensures o[0] == (int)\sum(int k; 0 <= k < n; a[k]);
__global__ void k(int *o, const int *a, int n) {
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    int s = 0;
    for (int i = 0; i < n; i++) { s += a[i]; }
    o[0] = s;
  }
}
