//xfail:NOT_ALL_VERIFIED
//--blockDim=[4,4,2] --gridDim=[2,2,4]
//write-write-race

// The plane is addressed with the wrong extent, so planes overlap.

#define N 8

__device__ int cell(int x, int y, int z) { return (z * (N - 4) + y) * N + x; }

__global__ void laplace(const float *u, float *lu) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x > 0 && x < N - 1 && y > 0 && y < N - 1 && z > 0 && z < N - 1)
    lu[cell(x, y, z)] = u[cell(x - 1, y, z)] + u[cell(x + 1, y, z)] +
                        u[cell(x, y - 1, z)] + u[cell(x, y + 1, z)] +
                        u[cell(x, y, z - 1)] + u[cell(x, y, z + 1)] -
                        6.0f * u[cell(x, y, z)];
}
