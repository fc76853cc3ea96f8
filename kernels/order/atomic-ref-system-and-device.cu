//pass
//--blockDim=1 --gridDim=2

// The two sides name different scopes, and each includes the other thread.

#include <cuda/atomic>

__global__ void message(int *flag, int *data, int *out) {
  __requires(*flag == 0);
  if (blockIdx.x == 0) {
    data[0] = 1;
    cuda::atomic_ref<int, cuda::thread_scope_system>(*flag).store(1, cuda::memory_order_release);
  } else {
    cuda::atomic_ref<int, cuda::thread_scope_device> seen(*flag);
    while (seen.load(cuda::memory_order_acquire) == 0)
      ;
    out[0] = data[0];
  }
}
