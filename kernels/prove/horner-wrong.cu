//prove:refuted
//

// Two coefficients are exchanged.

//@ logic float poly(float x) = (c2 * x + c1) * x + c0;
//@ requires 0 <= n && n <= \threads;
//@ ensures \forall int j; 0 <= j < n ==> y[j] == poly(x[j]);
__global__ void horner(float *y, const float *x, float c0, float c1, float c2, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float v = x[i];
    y[i] = (c2 * v + c0) * v + c1;
  }
}
