//xfail:NOT_ALL_VERIFIED
//--blockDim=[8,8] --gridDim=1
//read-write-race

// Shifts the surface in place.

__global__ void shift(cudaSurfaceObject_t from, cudaSurfaceObject_t to) {
  int x = threadIdx.x, y = threadIdx.y;
  uchar4 pixel;
  surf2Dread(&pixel, to, ((x + 1) % 8) * sizeof(uchar4), y);
  surf2Dwrite(pixel, to, x * sizeof(uchar4), y);
}
