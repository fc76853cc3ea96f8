//xfail:NOT_ALL_VERIFIED
//--blockDim=1 --gridDim=2
//race

// The flag is read with relaxed order, which acquires nothing.

#include <cuda/atomic>

__global__ void message(int *data, int *flag, int *out) {
  __requires(*flag == 0);
  cuda::atomic_ref<int, cuda::thread_scope_device> ready(*flag);
  if (blockIdx.x == 0) {
    data[0] = 42;
    ready.store(1, cuda::memory_order_release);
  } else {
    while (ready.load(cuda::memory_order_relaxed) != 1)
      ;
    out[0] = data[0];
  }
}
