//xfail:NOT_ALL_VERIFIED
//--blockDim=1 --gridDim=2
//race

// A fence that only acquires publishes nothing.

#include <cuda/atomic>

using Word = cuda::atomic_ref<int, cuda::thread_scope_device>;

__global__ void message(int *data, int *other, int *flag, int *out) {
  __requires(*flag == 0);
  Word first(*other), second(*flag);
  if (blockIdx.x == 0) {
    data[0] = 42;
    cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_device);
    second.store(1, cuda::memory_order_relaxed);
  } else {
    while (second.load(cuda::memory_order_relaxed) == 0)
      ;
    cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_device);
    out[0] = data[0];
  }
}
