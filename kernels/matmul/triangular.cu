//pass
//--blockDim=32 --gridDim=1

// Forward substitution: one unknown per round, a barrier in each.

#define N 32

__global__ void solve(const float *l, float *b) {
  int row = threadIdx.x;
  for (int k = 0; k < N; k++) {
    if (row == k)
      b[k] = b[k] / l[k * N + k];
    __syncthreads();
    if (row > k)
      b[row] -= l[row * N + k] * b[k];
    __syncthreads();
  }
}
