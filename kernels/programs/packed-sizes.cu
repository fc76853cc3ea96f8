//pass
//
//proved

// The host passes two sizes in one struct, which the compiler makes one number of 64 bits; the
// sizes of the launch are in another.

#include <cstdio>
#include <cstdlib>

struct Size {
  int width, height;
};

__global__ void scale(float *image, int stride, Size size) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (y < size.height)
    image[y * stride + x] *= 2;
}

void run(float *image, Size size) {
  uint3 blocks = make_uint3(size.width / 8, size.height / 8, 1);
  uint3 threads = make_uint3(8, 8, 1);
  scale<<<blocks, threads>>>(image, size.width, size);
}

int main(int argc, char **argv) {
  if (argc < 3)
    return 1;
  Size size = {atoi(argv[1]), atoi(argv[2])};
  if (size.width < 8 || size.width > 8192 || size.height < 8 || size.height > 8192)
    return 1;
  float *image;
  if (cudaMalloc(&image, sizeof(float) * size.width * size.height) != cudaSuccess)
    return 1;
  run(image, size);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(image);
}
