//xfail:NOT_ALL_VERIFIED
//--blockDim=4 --gridDim=2
//race

// The number that is served rises by 2, so that a turn is skipped or shared.

__global__ void locked(unsigned *next, unsigned *served, int *count) {
  __requires(*next == 0);
  __requires(*served == 0);
  unsigned own = atomicAdd(next, 1u);
  while (atomicAdd(served, 0u) < own)
    ;
  __threadfence();
  count[0] += 1;
  __threadfence();
  atomicAdd(served, 1u);
  atomicAdd(served, 1u);
}
