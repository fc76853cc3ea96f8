//prove:proved
//

// Neighbours in a row of a volume of any size.

//@ requires nx > 2 && ny > 2 && nz > 2 && nx * ny * nz <= INT_MAX;
//@ requires gridDim.x * blockDim.x >= nx && gridDim.x * blockDim.x <= INT_MAX;
//@ requires gridDim.y * blockDim.y >= ny && gridDim.y * blockDim.y <= INT_MAX;
//@ requires gridDim.z * blockDim.z >= nz && gridDim.z * blockDim.z <= INT_MAX;
//@ ensures \forall int x, y, z; 1 <= x < nx - 1 && 1 <= y < ny - 1 && 1 <= z < nz - 1 ==>
//@   out[(z * ny + y) * nx + x] == in[(z * ny + y) * nx + x - 1] + in[(z * ny + y) * nx + x + 1];
__global__ void stencil(float *out, const float *in, int nx, int ny, int nz) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1 && z > 0 && z < nz - 1) {
    out[(z * ny + y) * nx + x] = in[(z * ny + y) * nx + x - 1] + in[(z * ny + y) * nx + x + 1];
  }
}
