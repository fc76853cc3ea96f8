//pass
//--blockDim=1 --gridDim=4

// The lock is taken by an exchange.

__global__ void locked(int *lock, int *count) {
  __requires(*lock == 0);
  while (atomicExch(lock, 1) != 0)
    ;
  __threadfence();
  count[0] += 1;
  __threadfence();
  atomicExch(lock, 0);
}
