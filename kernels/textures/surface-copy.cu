//pass
//--blockDim=[8,8] --gridDim=1

// Reads one surface and writes another.

__global__ void shift(cudaSurfaceObject_t from, cudaSurfaceObject_t to) {
  int x = threadIdx.x, y = threadIdx.y;
  uchar4 pixel;
  surf2Dread(&pixel, from, ((x + 1) % 8) * sizeof(uchar4), y);
  surf2Dwrite(pixel, to, x * sizeof(uchar4), y);
}
