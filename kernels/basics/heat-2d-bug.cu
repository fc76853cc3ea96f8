//xfail:NOT_ALL_VERIFIED
//--blockDim=[8,8] --gridDim=[2,2]
//read-write-race

// Updates the grid in place while the neighbours still read it.

#define N 16

__global__ void step(const float *now, float *next, float k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x == 0 || y == 0 || x == N - 1 || y == N - 1)
    return;
  int c = y * N + x;
  next[c] = next[c] + k * (next[c - 1] + next[c + 1] + next[c - N] + next[c + N] - 4 * next[c]);
}
