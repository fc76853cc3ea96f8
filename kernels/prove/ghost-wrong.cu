//prove:refuted
//

// The number is the length itself, not a quarter of it, in what is ensured.
//@ ghost int m;
//@ requires 0 <= m && n == m && n <= \threads;
//@ ensures \forall int j; 0 <= j < 4 * m ==> c[j] == a[j];
__global__ void copy(int *c, const int *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    c[i] = a[i];
  }
}
