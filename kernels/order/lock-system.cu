//pass
//--blockDim=1 --gridDim=4

// Fences and atomics of the whole system reach further than is needed.

__global__ void locked(int *lock, int *count) {
  __requires(*lock == 0);
  while (atomicCAS_system(lock, 0, 1) != 0)
    ;
  __threadfence_system();
  count[0] += 1;
  __threadfence_system();
  atomicExch_system(lock, 0);
}
