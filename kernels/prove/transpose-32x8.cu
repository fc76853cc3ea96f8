//prove:proved
//

// Each thread moves four elements of a padded tile.

#define T 32
//@ requires blockDim.x == T && blockDim.y == 8 && w == T*gridDim.x && h == T*gridDim.y && w*h <= INT_MAX;
//@ ensures \forall int x, y; 0 <= x < w && 0 <= y < h ==> out[x*h + y] == in[y*w + x];
__global__ void tr(float *out, const float *in, int w, int h) {
  __shared__ float tile[T][T+1];
  int x = blockIdx.x * T + threadIdx.x, y = blockIdx.y * T + threadIdx.y;
  for (int j = 0; j < T; j += 8) { tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * w + x]; }
  __syncthreads();
  x = blockIdx.y * T + threadIdx.x; y = blockIdx.x * T + threadIdx.y;
  for (int j = 0; j < T; j += 8) { out[(y + j) * h + x] = tile[threadIdx.x][threadIdx.y + j]; }
}
