//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2
//race

// Vectors of four floats at multiples of a vector, and single floats one vector further
// on: they overlap in the last float, although both offsets are sums of multiples of a
// vector and a rest.

__global__ void last_float(float4 *a, float *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = make_float4(i, i, i, i);
  float *f = (float *)a;
  f[4 * i + 7] = 2.0f * i;
}
