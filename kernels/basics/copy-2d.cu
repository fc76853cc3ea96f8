//pass
//--blockDim=[16,8] --gridDim=[2,3]

// Copies a matrix whose rows are padded to a pitch.

__global__ void copy(float *dst, const float *src, int pitch) {
  __requires(pitch == 48);
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  dst[y * pitch + x] = src[y * pitch + x];
}
