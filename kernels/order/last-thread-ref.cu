//pass
//--blockDim=1 --gridDim=8

// The orders of the addition stand for the fences on both sides.

#include <cuda/atomic>

__global__ void last(int *part, unsigned *count, int *sum) {
  __requires(*count == 0);
  cuda::atomic_ref<unsigned, cuda::thread_scope_device> done(*count);
  part[blockIdx.x] = blockIdx.x;
  if (done.fetch_add(1u, cuda::memory_order_acq_rel) == gridDim.x - 1) {
    int total = 0;
    for (unsigned j = 0; j < gridDim.x; j++)
      total += part[j];
    sum[0] = total;
  }
}
