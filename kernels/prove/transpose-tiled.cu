//prove:proved
//

// A transpose through a tile in shared memory.

//@ requires blockDim.x == 16 && blockDim.y == 16 && w == 16 * gridDim.x && h == 16 * gridDim.y && w * h <= INT_MAX;
//@ ensures \forall int i, j; 0 <= i < h && 0 <= j < w ==> out[j * h + i] == in[i * w + j];
__global__ void transpose(float *out, const float *in, int w, int h) {
  __shared__ float tile[16][17];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = in[y * w + x];
  __syncthreads();
  x = blockIdx.y * 16 + threadIdx.x; y = blockIdx.x * 16 + threadIdx.y;
  out[y * h + x] = tile[threadIdx.x][threadIdx.y];
}
