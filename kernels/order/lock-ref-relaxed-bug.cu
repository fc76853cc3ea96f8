//xfail:NOT_ALL_VERIFIED
//--blockDim=1 --gridDim=4
//race

// The lock is taken with relaxed order.

#include <cuda/atomic>

__global__ void locked(int *lock, int *count) {
  __requires(*lock == 0);
  cuda::atomic_ref<int, cuda::thread_scope_device> held(*lock);
  while (held.exchange(1, cuda::memory_order_relaxed) != 0)
    ;
  count[0] += 1;
  held.store(0, cuda::memory_order_release);
}
