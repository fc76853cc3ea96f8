//pass
//
//proved

// The kernel multiplies unsigned numbers, which may wrap around. The host multiplies the same
// numbers for the allocation: signed, so it does not overflow, and an allocation that succeeds
// says that neither product is negative.
#include <cstdlib>
#include <cuda.h>

__global__ void normalise(int slices, int length, const float *in, float *out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= slices)
    return;
  float sum = 0;
  for (int j = 0; j < length; j++)
    sum += in[i * length + j];
  for (int j = 0; j < length; j++)
    out[i * length + j] = in[i * length + j] / sum;
}

int main(int argc, char **argv) {
  int slices = atoi(argv[1]), length = atoi(argv[2]);
  int count = slices * length;
  float *in, *out;
  cudaMalloc(&in, count * sizeof(float));
  cudaMalloc(&out, count * sizeof(float));
  normalise<<<(slices + 255) / 256, 256>>>(slices, length, in, out);
}
