//xfail:NOT_ALL_VERIFIED
//--blockDim=4 --gridDim=2
//race

// It waits for a number below its own.

__global__ void locked(unsigned *next, unsigned *served, int *count) {
  __requires(*next == 0);
  __requires(*served == 0);
  unsigned own = atomicAdd(next, 1u);
  while (atomicAdd(served, 0u) + 1 < own)
    ;
  __threadfence();
  count[0] += 1;
  __threadfence();
  atomicAdd(served, 1u);
}
