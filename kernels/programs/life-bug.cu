//xfail:NOT_ALL_VERIFIED
//--blockDim=[8,8] --gridDim=[2,2]
//race

// The kernel is written as if the board could be updated in place.

#include <algorithm>
#include <iostream>

const int kSize = 16;

__device__ int wrap(int i) { return (i + kSize) % kSize; }

__global__ void generation(const unsigned char *now, unsigned char *next) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int alive = 0;
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++)
      if (dx != 0 || dy != 0)
        alive += now[wrap(y + dy) * kSize + wrap(x + dx)];
  unsigned char self = now[y * kSize + x];
  next[y * kSize + x] = alive + next[wrap(y + 1) * kSize + x];
}

int main() {
  unsigned char *now, *next;
  cudaMallocManaged(&now, kSize * kSize);
  cudaMallocManaged(&next, kSize * kSize);
  std::fill(now, now + kSize * kSize, 0);
  now[1] = now[kSize + 2] = now[2 * kSize] = now[2 * kSize + 1] = now[2 * kSize + 2] = 1;

  dim3 block(8, 8), grid(2, 2);
  for (int i = 0; i < 10; i++) {
    generation<<<grid, block>>>(now, next);
    std::swap(now, next);
  }
  cudaDeviceSynchronize();
  std::cout << std::count(now, now + kSize * kSize, 1) << std::endl;
  cudaFree(now);
  cudaFree(next);
}
