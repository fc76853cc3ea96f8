// Vectors of four; single elements where less than a vector is left.
__global__ void twice(float *out, const float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / 4) {
    float4 v = reinterpret_cast<const float4 *>(in)[i];
    v.x *= 2.0f; v.y *= 2.0f; v.z *= 2.0f; v.w *= 2.0f;
    reinterpret_cast<float4 *>(out)[i] = v;
  }
  if (i < n % 4) out[n / 4 * 4 + i] = 2.0f * in[n / 4 * 4 + i];
}
