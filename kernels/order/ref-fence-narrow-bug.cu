//xfail:NOT_ALL_VERIFIED
//--blockDim=1 --gridDim=2
//race

// The fence behind the relaxed load is one of the block.

#include <cuda/atomic>

__global__ void message(int *data, int *flag, int *out) {
  __requires(*flag == 0);
  cuda::atomic_ref<int, cuda::thread_scope_device> ready(*flag);
  if (blockIdx.x == 0) {
    data[0] = 42;
    cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_device);
    ready.store(1, cuda::memory_order_relaxed);
  } else {
    while (ready.load(cuda::memory_order_relaxed) != 1)
      ;
    cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_block);
    out[0] = data[0];
  }
}
