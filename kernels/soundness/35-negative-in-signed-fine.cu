//pass
//--blockDim=64 --gridDim=4 --no-refute
//put into a signed variable at line 12

// What may be assumed is that the signed sum does not overflow: the counter stays
// above its first value.

__global__ void strided(int *a, int n) {
  int first = blockIdx.x * blockDim.x + threadIdx.x;
  int i = first;
  while (i < n) {
    i += blockDim.x * gridDim.x;
    if (i < first)
      a[0] = threadIdx.x;
  }
}
