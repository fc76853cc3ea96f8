//prove:refuted
//

// The last element is left out.

//@ requires 0 <= n && n <= \threads;
//@ ensures \forall int j; 0 <= j < n ==> y[j] == a * x[j] + \old(y[j]);
//@ assigns y[0 .. n-1];
__global__ void saxpy(float a, const float *x, float *y, int n) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i + 1 < n) y[i] = a * x[i] + y[i];
}
