//pass
//--blockDim=64 --gridDim=4

// A whole program: host memory, launch, copy back.

#include <cstdio>
#include <cstdlib>

__global__ void add(const float *a, const float *b, float *c, int n) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] + b[i];
}

int main() {
  const int n = 250;
  const size_t bytes = n * sizeof(float);
  float *host = (float *)malloc(bytes);
  for (int i = 0; i < n; i++)
    host[i] = i;

  float *a, *b, *c;
  cudaMalloc((void **)&a, bytes);
  cudaMalloc((void **)&b, bytes);
  cudaMalloc((void **)&c, bytes);
  cudaMemcpy(a, host, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(b, host, bytes, cudaMemcpyHostToDevice);

  add<<<(n + 63) / 64, 64>>>(a, b, c, n);

  cudaMemcpy(host, c, bytes, cudaMemcpyDeviceToHost);
  printf("%f\n", host[n - 1]);
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
  free(host);
  return 0;
}
