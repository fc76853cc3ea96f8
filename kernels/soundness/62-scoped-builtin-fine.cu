//pass
//--blockDim=64 --gridDim=2

// The sum is atomic for the whole device.

__global__ void scoped_builtin(int *sum, int *flag) {
  __scoped_atomic_fetch_add(sum, 1, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
  __hip_atomic_fetch_add(flag, 1, __ATOMIC_RELAXED, 5);
}
