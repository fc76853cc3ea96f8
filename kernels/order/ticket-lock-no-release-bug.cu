//xfail:NOT_ALL_VERIFIED
//--blockDim=1 --gridDim=4
//race

// No fence comes before the next number is served.

__global__ void locked(unsigned *next, unsigned *served, int *count) {
  __requires(*next == 0);
  __requires(*served == 0);
  unsigned own = atomicAdd(next, 1u);
  while (atomicAdd(served, 0u) != own)
    ;
  __threadfence();
  count[0] += 1;
  atomicAdd(served, 1u);
}
