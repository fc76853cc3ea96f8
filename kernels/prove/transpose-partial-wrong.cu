//prove:refuted
//

// The sizes are mixed up where the tile is stored.

//@ requires blockDim.x == 16 && blockDim.y == 16 && 0 < w && 0 < h && w <= 16*gridDim.x && h <= 16*gridDim.y && w*h <= INT_MAX && w <= 100000 && h <= 100000;
//@ ensures \forall int r, c; 0 <= r < h && 0 <= c < w ==> out[c*h + r] == in[r*w + c];
__global__ void transpose(float *out, const float *in, int w, int h) {
  __shared__ float tile[16][17];
  int x = blockIdx.x*16 + threadIdx.x, y = blockIdx.y*16 + threadIdx.y;
  if (x < w && y < h) tile[threadIdx.y][threadIdx.x] = in[y*w + x];
  __syncthreads();
  int x2 = blockIdx.y*16 + threadIdx.x, y2 = blockIdx.x*16 + threadIdx.y;
  if (x2 < w && y2 < h) out[y2*h + x2] = tile[threadIdx.x][threadIdx.y];
}
