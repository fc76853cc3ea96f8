//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=1
//read-write-race

// One barrier per round: the rows below read the unknown before it is solved.

#define N 32

__global__ void solve(const float *l, float *b) {
  int row = threadIdx.x;
  for (int k = 0; k < N; k++) {
    if (row == k)
      b[k] = b[k] / l[k * N + k];
    if (row > k)
      b[row] -= l[row * N + k] * b[k];
    __syncthreads();
  }
}
