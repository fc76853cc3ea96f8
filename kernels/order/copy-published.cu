//pass
//--blockDim=2 --gridDim=1

// A copy by the agent is waited for, and then published.

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
    __pipeline_wait_prior(0);
    __threadfence_block();
    atomicExch(&flag, 1);
  } else {
    while (atomicAdd(&flag, 0) != 1)
      ;
    __threadfence_block();
    out[0] = tile[0];
  }
}
