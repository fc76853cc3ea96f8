//prove:refuted
//

// A sum starts from +0.0.

//@ requires 0 <= n && n <= \threads;
//@ ensures \forall int j; 0 <= j < n ==> c[j] == 0.0f + a[j];
__global__ void k(float *c, const float *a, int n) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n) c[i] = a[i];
}
