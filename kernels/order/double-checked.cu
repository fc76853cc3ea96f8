//pass
//--blockDim=1 --gridDim=4

// A table that whoever comes first makes, under a lock; the others look at a flag first.

__global__ void once(int *table, int *made, int *lock, int *out) {
  __requires(*made == 0);
  __requires(*lock == 0);
  if (atomicAdd(made, 0) == 0) {
    while (atomicCAS(lock, 0, 1) != 0)
      ;
    __threadfence();
    if (atomicAdd(made, 0) == 0) {
      table[0] = 42;
      __threadfence();
      atomicExch(made, 1);
    }
    __threadfence();
    atomicExch(lock, 0);
  }
  __threadfence();
  out[blockIdx.x] = table[0];
}
