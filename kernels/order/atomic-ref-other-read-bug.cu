//xfail:NOT_ALL_VERIFIED
//--blockDim=1 --gridDim=2
//race

// The acquire is of another word: what was read of the flag is not acquired.

#include <cuda/atomic>

using Word = cuda::atomic_ref<int, cuda::thread_scope_device>;

__global__ void message(int *data, int *other, int *flag, int *out) {
  __requires(*flag == 0);
  Word first(*other), second(*flag);
  if (blockIdx.x == 0) {
    data[0] = 42;
    second.store(1, cuda::memory_order_release);
  } else {
    while (second.load(cuda::memory_order_relaxed) == 0)
      ;
    first.load(cuda::memory_order_acquire);
    out[0] = data[0];
  }
}
