//xfail:UNPROVEN
//--blockDim=2 --gridDim=1
//race

// A copy by the agent is published before it is waited for; such copies are not modelled.

#include <cuda_pipeline.h>

__global__ void message(const int *in, int *out) {
  __shared__ int tile[4];
  __shared__ int flag;
  if (threadIdx.x == 0)
    flag = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    __pipeline_memcpy_async(tile, in, 16);
    __pipeline_commit();
    __threadfence_block();
    atomicExch(&flag, 1);
    __pipeline_wait_prior(0);
  } else {
    while (atomicAdd(&flag, 0) != 1)
      ;
    __threadfence_block();
    out[0] = tile[0];
  }
}
