//pass
//--blockDim=[8,8] --gridDim=[2,2]

// A 3 by 3 filter; the tile with its border is filled by a loop over all of its cells.

#define B 8
#define EDGE (B + 2)

__global__ void blur(const int *in, int *out, int pitch) {
  __requires(pitch == 18);
  __shared__ int tile[EDGE * EDGE];
  int flat = threadIdx.y * B + threadIdx.x;
  for (int c = flat; c < EDGE * EDGE; c += B * B)
    tile[c] = in[(blockIdx.y * B + c / EDGE) * pitch + blockIdx.x * B + c % EDGE];
  __syncthreads();

  int sum = 0;
  for (int dy = 0; dy < 3; dy++)
    for (int dx = 0; dx < 3; dx++)
      sum += tile[(threadIdx.y + dy) * EDGE + threadIdx.x + dx];
  out[(blockIdx.y * B + threadIdx.y) * pitch + blockIdx.x * B + threadIdx.x] = sum / 9;
}
