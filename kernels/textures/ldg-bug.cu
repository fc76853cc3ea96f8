//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2
//race

// The read-only cache is used for an array that the kernel writes.

__global__ void add(const float *__restrict__ a, float *__restrict__ b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] += __ldg(&a[i]) + __ldg(b + i + 1);
}
