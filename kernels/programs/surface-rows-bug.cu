//xfail:NOT_ALL_VERIFIED
//
//race

// Two columns share a place of the image.
#include <cstdlib>

__global__ void invert(cudaSurfaceObject_t image, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  unsigned char value;
  surf2Dread(&value, image, x / 2, y);
  surf2Dwrite((unsigned char)(255 - value), image, x / 2, y);
}

int main(int argc, char **argv) {
  int width = atoi(argv[1]), height = atoi(argv[2]);
  cudaArray_t memory;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<unsigned char>();
  cudaMallocArray(&memory, &format, width, height);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = memory;
  cudaSurfaceObject_t image;
  cudaCreateSurfaceObject(&image, &resource);
  dim3 threads(16, 16);
  dim3 blocks((width + 15) / 16, (height + 15) / 16);
  invert<<<blocks, threads>>>(image, width, height);
}
