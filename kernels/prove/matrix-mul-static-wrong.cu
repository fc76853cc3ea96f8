//prove:refuted
//

// The second tile is read transposed.

//@ ghost int m;
//@ requires blockDim.x == 16 && blockDim.y == 16 && 0 <= m && K == 16*m && N == 16*gridDim.x && M == 16*gridDim.y;
//@ requires M*K <= INT_MAX && K*N <= INT_MAX && M*N <= INT_MAX;
//@ ensures \forall int i, j; 0 <= i < M && 0 <= j < N ==> C[i*N + j] == \sum(int k; 0 <= k < K; A[i*K + k] * B[k*N + j]);
__global__ void mm(float *C, const float *A, const float *B, int M, int N, int K) {
  __shared__ float As[16][16]; __shared__ float Bs[16][16];
  int row = blockIdx.y*16 + threadIdx.y, col = blockIdx.x*16 + threadIdx.x;
  float sum = 0.0f;
  for (int t = 0; t < K/16; ++t) {
    As[threadIdx.y][threadIdx.x] = A[row*K + t*16 + threadIdx.x];
    Bs[threadIdx.y][threadIdx.x] = B[(t*16 + threadIdx.y)*N + col];
    __syncthreads();
    for (int k = 0; k < 16; ++k) { sum += As[threadIdx.y][k] * Bs[threadIdx.x][k]; }
    __syncthreads();
  }
  C[row*N + col] = sum;
}
