//prove:refuted
//

// Elements up to one become zero.
//@ requires 0 <= n && n + \threads <= INT_MAX;
//@ ensures \forall int j; 0 <= j < n && x[j] > 0 ==> y[j] == x[j];
//@ ensures \forall int j; 0 <= j < n && !(x[j] > 0) ==> y[j] == 0;
//@ ensures \forall int j; 0 <= j < n ==> z[j] == (int)x[j];
__global__ void relu(float *y, int *z, const float *x, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    y[i] = x[i] > 1 ? x[i] : 0;
    z[i] = (int)x[i];
  }
}
