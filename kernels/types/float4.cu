//pass
//--blockDim=32 --gridDim=2

// Four floats per thread.

__global__ void normalise(float4 *v) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 p = v[i];
  float scale = 1.0f / sqrtf(p.x * p.x + p.y * p.y + p.z * p.z);
  v[i] = make_float4(p.x * scale, p.y * scale, p.z * scale, p.w);
}
