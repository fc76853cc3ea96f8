//xfail:NOT_ALL_VERIFIED
//--blockDim=1 --gridDim=4
//race

// One block takes the lock by a relaxed exchange: it has not acquired what it passes on.

#include <cuda/atomic>

__global__ void locked(int *lock, int *count, int *turns) {
  __requires(*lock == 0);
  cuda::atomic_ref<int, cuda::thread_scope_device> held(*lock);
  if (blockIdx.x == 1) {
    while (held.exchange(1, cuda::memory_order_relaxed) != 0)
      ;
    turns[0] = 1;
    held.store(0, cuda::memory_order_release);
  } else {
    while (held.exchange(1, cuda::memory_order_acquire) != 0)
      ;
    count[0] += 1;
    held.store(0, cuda::memory_order_release);
  }
}
