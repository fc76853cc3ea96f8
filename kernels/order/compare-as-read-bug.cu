//xfail:NOT_ALL_VERIFIED
//--blockDim=1 --gridDim=2
//race

// A compare-and-swap that fails acquires only by its second order, which is relaxed.

#include <cuda/atomic>

using Word = cuda::atomic_ref<int, cuda::thread_scope_device>;

__global__ void message(int *data, int *other, int *flag, int *out) {
  __requires(*flag == 0);
  Word first(*other), second(*flag);
  if (blockIdx.x == 0) {
    data[0] = 42;
    second.store(2, cuda::memory_order_release);
  } else {
    int seen = 0;
    while (second.compare_exchange_strong(seen, 0, cuda::memory_order_acquire, cuda::memory_order_relaxed))
      ;
    out[0] = data[0];
  }
}
