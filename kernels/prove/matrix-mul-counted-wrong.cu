//prove:refuted
//

// The tile of `a` repeats its diagonal.

//@ requires blockDim.x == 16 && blockDim.y == 16 && n == 16 * gridDim.x && gridDim.y == gridDim.x && n * n <= INT_MAX;
//@ ensures \forall int i, j; 0 <= i < n && 0 <= j < n ==> c[i * n + j] == \sum(int k; 0 <= k < n; a[i * n + k] * b[k * n + j]);
__global__ void product(float *c, const float *a, const float *b, int n) {
  __shared__ float as[16][16], bs[16][16];
  int tx = threadIdx.x, ty = threadIdx.y;
  int col = blockIdx.x * 16 + tx, row = blockIdx.y * 16 + ty;
  float acc = 0;
  for (int t = 0; t < n / 16; ++t) {
    as[ty][tx] = a[row * n + t * 16 + ty];
    bs[ty][tx] = b[(t * 16 + ty) * n + col];
    __syncthreads();
    for (int k = 0; k < 16; ++k) { acc += as[ty][k] * bs[k][tx]; }
    __syncthreads();
  }
  c[row * n + col] = acc;
}
