__global__ void scale(float4 *y, const float4 *x, float a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / 4) { float4 v = x[i], w = y[i]; w.x = a * v.x + w.x; w.y = a * v.y + w.y; w.z = a * v.z + w.z; w.w = a * v.w + w.w; y[i] = w; }
}
