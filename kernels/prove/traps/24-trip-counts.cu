//prove:refuted
//

// How often the inner loop runs depends on the outer one.

//@ requires 0 <= n && n <= \threads;
//@ ensures \forall int j; 0 <= j < n ==> c[j] == 99;
__global__ void k(int *c, const int *a, int n) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n) {
    int x = 0;
    for (int p = 0; p < 2; p++) { for (int m = 0; m < p; m++) { x++; } }
    c[i] = x;
  }
}
