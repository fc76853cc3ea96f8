//prove:refuted
//

// The sign of a part is wrong.

//@ requires 0 <= n && n <= \threads;
//@ ensures \forall int j; 0 <= j < n ==> re[j] == a[j] * c[j] - b[j] * d[j];
//@ ensures \forall int j; 0 <= j < n ==> im[j] == a[j] * d[j] + b[j] * c[j];
__global__ void multiply(float *re, float *im, const float *a, const float *b, const float *c,
                         const float *d, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    re[i] = a[i] * c[i] - b[i] * d[i];
    im[i] = a[i] * d[i] - b[i] * c[i];
  }
}
