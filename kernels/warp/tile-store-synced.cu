//pass
//--blockDim=32 --gridDim=2

// Nobody says which lane writes which element of a tile, so a lane that reads the elements
// `lane`, `lane + 32`, ... behind the store reads what another lane wrote: `__syncwarp`
// orders them.

#include <mma.h>

using namespace nvcuda;

__global__ void scaled(const half *a, float *c) {
  __shared__ float tile[256];
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 1.0f);
  wmma::store_matrix_sync(tile, sum, 16, wmma::mem_row_major);
  __syncwarp();
  c[blockIdx.x * 32 + threadIdx.x] = tile[threadIdx.x];
}
