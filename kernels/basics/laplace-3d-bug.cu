//xfail:NOT_ALL_VERIFIED
//--blockDim=[4,4,2] --gridDim=[2,2,4]
//write-write-race

// The result's plane is halved, so two planes are written to one.

#define N 8

__device__ int cell(int x, int y, int z) { return (z * N + y) * N + x; }

__global__ void laplace(const float *u, float *lu) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x > 0 && x < N - 1 && y > 0 && y < N - 1 && z > 0 && z < N - 1)
    lu[cell(x, y, z / 2)] = u[cell(x - 1, y, z)] + u[cell(x + 1, y, z)] +
                        u[cell(x, y - 1, z)] + u[cell(x, y + 1, z)] +
                        u[cell(x, y, z - 1)] + u[cell(x, y, z + 1)] -
                        6.0f * u[cell(x, y, z)];
}
