//pass
//
//proved

// A loop over an array that is too large for a few threads to come to its end soon; how many
// blocks there are is for the device to say.

#include <cstdio>

const int kBytes = 64 << 20;

__global__ void fill(char *bytes, int count, char value) {
  int index = blockIdx.x * blockDim.x + threadIdx.x;
  for (; index < count; index += gridDim.x * blockDim.x)
    bytes[index] = value;
}

int main() {
  char *bytes;
  cudaDeviceProp properties;
  if (cudaGetDeviceProperties(&properties, 0) != cudaSuccess || cudaMalloc(&bytes, kBytes) != cudaSuccess)
    return 1;
  fill<<<2 * properties.multiProcessorCount, 128>>>(bytes, kBytes, 1);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(bytes);
}
