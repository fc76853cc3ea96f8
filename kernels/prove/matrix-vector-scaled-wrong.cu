//prove:refuted
//

// What was there is not multiplied.

//@ requires 0 <= rows && 0 <= cols && rows*cols <= INT_MAX && rows <= \threads;
//@ ensures \forall int i; 0 <= i < rows ==> y[i] == alpha*\sum(int k; 0 <= k < cols; A[i*cols + k]*x[k]) + beta*\old(y[i]);
__global__ void gemv(const float *A, const float *x, float *y, float alpha, float beta, int rows, int cols) {
  int i = blockIdx.x*blockDim.x + threadIdx.x;
  if (i < rows) { float s = 0; for (int k = 0; k < cols; k++) s += A[i*cols + k]*x[k]; y[i] = alpha*s + beta; }
}
