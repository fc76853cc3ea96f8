//xfail:NOT_ALL_VERIFIED
//--blockDim=[8,8] --gridDim=[2,2]
//write-write-race

// Forgets that x is in bytes: four threads write one element.

__global__ void checker(cudaSurfaceObject_t surface) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  float v = (x ^ y) & 1 ? 1.0f : 0.0f;
  surf2Dwrite(v + x, surface, x, y);
}
