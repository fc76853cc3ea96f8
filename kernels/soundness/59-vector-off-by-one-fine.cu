//pass
//--blockDim=[*] --gridDim=[*]

// Each thread writes a vector, and then one float of the same vector.

__global__ void last_float(float4 *a, float *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = make_float4(i, i, i, i);
  float *f = (float *)a;
  f[4 * i + 3] = 2.0f * i;
}
