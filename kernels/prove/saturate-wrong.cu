//prove:refuted
//

// The upper limit is one too large.

//@ requires 0 <= n && n <= \threads;
//@ ensures \forall int j; 0 <= j < n ==> out[j] == min(max(in[j], 0), 255) && out[j] <= abs(in[j]);
__global__ void saturate(int *out, const int *in, int n) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n) {
    int v = in[i];
    out[i] = v < 0 ? 0 : v > 256 ? 256 : v;
  }
}
