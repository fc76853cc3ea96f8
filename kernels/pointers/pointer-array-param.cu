//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=1

// Row pointers come from memory, so nothing says that the rows are apart.

__global__ void fill(int **rows) {
  rows[threadIdx.x][0] = threadIdx.x;
}
