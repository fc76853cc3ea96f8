//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=2
//race

// The second kernel works in place.

#include <cstdio>

__global__ void fill(int *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] = i;
}

__global__ void add_neighbour(const int *a, int *b, int n) {
  __requires(n == 64);
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] += b[(i + 1) % 64];
}

int main() {
  int *a, *b;
  cudaStream_t stream;
  cudaEvent_t start, stop;
  cudaStreamCreate(&stream);
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  cudaMalloc(&a, 64 * sizeof(int));
  cudaMalloc(&b, 64 * sizeof(int));
  cudaEventRecord(start, stream);
  fill<<<2, 32, 0, stream>>>(a, 64);
  add_neighbour<<<2, 32, 0, stream>>>(a, b, 64);
  cudaEventRecord(stop, stream);
  cudaStreamSynchronize(stream);
  float ms = 0;
  cudaEventElapsedTime(&ms, start, stop);
  std::printf("%f ms\n", ms);
  cudaFree(a);
  cudaFree(b);
  cudaStreamDestroy(stream);
  return 0;
}
