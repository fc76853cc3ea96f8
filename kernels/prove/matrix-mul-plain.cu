//prove:proved
//

// A product of matrices without tiles, for sizes that tiles need not divide.

#define T 32
//@ requires blockDim.x == T && blockDim.y == T && 0 < n && n <= T*gridDim.x && n <= T*gridDim.y && n <= 30000;
//@ ensures \forall int i, j; 0 <= i < n && 0 <= j < n ==> C[i*n + j] == \sum(int k; 0 <= k < n; A[i*n + k] * B[k*n + j]);
__global__ void mm(float *C, const float *A, const float *B, int n) {
  int row = blockIdx.y*T + threadIdx.y, col = blockIdx.x*T + threadIdx.x;
  if (row < n && col < n) {
    float s = 0.0f;
    for (int k = 0; k < n; k++) { s += A[row*n + k] * B[k*n + col]; }
    C[row*n + col] = s;
  }
}
