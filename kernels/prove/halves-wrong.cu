//prove:refuted
//

// Quarters are exchanged.

//@ ghost int k;
//@ requires 0 <= k <= 20 && n == \pow2(k) && n <= \threads;
//@ ensures \forall int j; 0 <= j < n ==> c[j] == a[j ^ (n / 2)];
__global__ void halves(int *c, const int *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) { c[i] = a[i ^ (n >> 2)]; }
}
