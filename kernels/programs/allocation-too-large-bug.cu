//xfail:NOT_ALL_VERIFIED
//

// The same, but the host multiplies unsigned numbers as well: for 65536 slices of 65537 elements
// both products wrap around, the allocation is small, and threads write the same elements.
#include <cstdlib>
#include <cuda.h>

__global__ void normalise(unsigned slices, unsigned length, const float *in, float *out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= slices)
    return;
  float sum = 0;
  for (unsigned j = 0; j < length; j++)
    sum += in[i * length + j];
  for (unsigned j = 0; j < length; j++)
    out[i * length + j] = in[i * length + j] / sum;
}

int main(int argc, char **argv) {
  unsigned slices = strtoul(argv[1], 0, 10), length = strtoul(argv[2], 0, 10);
  unsigned count = slices * length;
  float *in, *out;
  cudaMalloc(&in, count * sizeof(float));
  cudaMalloc(&out, count * sizeof(float));
  normalise<<<(slices + 255) / 256, 256>>>(slices, length, in, out);
}
