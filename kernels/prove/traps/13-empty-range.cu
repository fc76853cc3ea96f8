//prove:refuted
//

// A sum whose ends are in the wrong order is empty.

//@ requires n == -1;
//@ ensures o[0] == (int)\sum(int k; 0 <= k < n; a[k + 1]);
__global__ void k(int *o, const int *a, int n) {
  if (blockIdx.x == 0 && threadIdx.x == 0) { o[0] = -a[0]; }
}
