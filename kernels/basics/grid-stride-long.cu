//pass
//

// A grid-stride loop with a counter of 64 bits, for any launch: the step has 32 bits, and so has
// the number of elements, so the counter never wraps.

__global__ void add(float *sum, const float *a, unsigned n) {
  for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    sum[i] += a[i];
}
