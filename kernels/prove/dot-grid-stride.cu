//prove:proved
//

// Each thread adds every product of its stride.

//@ requires 0 <= n && n + \threads <= INT_MAX && \threads <= 1000000;
//@ ensures \forall int j; 0 <= j < \threads ==> part[j] == \sum(int k; 0 <= k < (n - j + \threads - 1)/\threads; x[j + k*\threads]*y[j + k*\threads]);
__global__ void dot(float *part, const float *x, const float *y, int n) {
  int t = blockIdx.x*blockDim.x + threadIdx.x;
  float s = 0;
  for (int i = t; i < n; i += blockDim.x*gridDim.x) { s += x[i]*y[i]; }
  part[t] = s;
}
