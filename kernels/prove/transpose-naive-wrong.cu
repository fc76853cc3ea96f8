//prove:refuted
//

// A copy, not a transpose.

//@ requires 0 < w && 0 < h && w <= blockDim.x * gridDim.x && h <= blockDim.y * gridDim.y && w * h <= INT_MAX;
//@ ensures \forall int i, j; 0 <= i < h && 0 <= j < w ==> out[j * h + i] == in[i * w + j];
__global__ void transpose0(float *out, const float *in, int w, int h) {
  int x = blockDim.x * blockIdx.x + threadIdx.x, y = blockDim.y * blockIdx.y + threadIdx.y;
  if (x < w && y < h) out[y * w + x] = in[y * w + x];
}
