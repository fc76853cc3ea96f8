//xfail:NOT_ALL_VERIFIED
//--blockDim=1 --gridDim=2
//race

// The scope of the read does not include the writer.

#include <cuda/atomic>

__global__ void message(int *flag, int *data, int *out) {
  __requires(*flag == 0);
  if (blockIdx.x == 0) {
    data[0] = 1;
    cuda::atomic_ref<int, cuda::thread_scope_device>(*flag).store(1, cuda::memory_order_release);
  } else {
    cuda::atomic_ref<int, cuda::thread_scope_block> seen(*flag);
    while (seen.load(cuda::memory_order_acquire) == 0)
      ;
    out[0] = data[0];
  }
}
