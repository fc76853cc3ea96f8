//prove:refuted
//

// The right neighbour is the cell itself.

//@ requires 2 <= n && n <= \threads;
//@ ensures \forall int j; 1 <= j < n - 1 ==> out[j] == in[j - 1] + in[j] + in[j + 1];
//@ ensures \forall int j; 0 <= j < n && (j == 0 || j == n - 1) ==> out[j] == in[j];
__global__ void stencil(float *out, const float *in, int n) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i >= n) return;
  if (i == 0 || i == n - 1) out[i] = in[i];
  else out[i] = in[i - 1] + in[i] + in[i];
}
