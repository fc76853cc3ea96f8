//pass
//--blockDim=[8,8] --gridDim=[2,2]

// One thread per element of the product.

#define N 16

__global__ void matmul(const float *a, const float *b, float *c) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
  for (int k = 0; k < N; k++)
    sum += a[row * N + k] * b[k * N + col];
  c[row * N + col] = sum;
}
