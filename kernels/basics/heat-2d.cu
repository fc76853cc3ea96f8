//pass
//--blockDim=[8,8] --gridDim=[2,2]

// One step of heat diffusion from one grid into another; the border is left alone.

#define N 16

__global__ void step(const float *now, float *next, float k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x == 0 || y == 0 || x == N - 1 || y == N - 1)
    return;
  int c = y * N + x;
  next[c] = now[c] + k * (now[c - 1] + now[c + 1] + now[c - N] + now[c + N] - 4 * now[c]);
}
