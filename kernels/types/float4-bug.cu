//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=2
//race

// A single component is taken from the next vector.

__global__ void normalise(float4 *v) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 p = v[i];
  float scale = 1.0f / sqrtf(p.x * p.x + p.y * p.y + p.z * p.z);
  v[i] = make_float4(p.x * scale, p.y * scale, p.z * scale, v[i + 1].w);
}
