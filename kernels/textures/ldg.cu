//pass
//--blockDim=64 --gridDim=2

// Loads through the read-only cache.

__global__ void add(const float *__restrict__ a, float *__restrict__ b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] += __ldg(&a[i]) + __ldg(a + i + 1);
}
