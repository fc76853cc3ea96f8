//prove:unproven
//

// Another function. What it yields is not known, so no run refutes it.

//@ requires 0 <= n && n <= \threads;
//@ ensures \forall int j; 0 <= j < n ==> y[j] == 1.0f / (1.0f + exp(-x[j]));
__global__ void sigmoid(float *y, const float *x, int n) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n) { y[i] = 1.0f / (1.0f + __expf(-x[i])); }
}
