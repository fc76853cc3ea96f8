//xfail:NOT_ALL_VERIFIED
//--blockDim=1 --gridDim=4
//race

// A lock by tickets in which the next number is served before the counter is written.

__global__ void locked(unsigned *next, unsigned *served, int *count) {
  __requires(*next == 0);
  __requires(*served == 0);
  unsigned own = atomicAdd(next, 1u);
  while (atomicAdd(served, 0u) != own)
    ;
  __threadfence();
  int value = count[0] + 1;
  __threadfence();
  atomicAdd(served, 1u);
  count[0] = value;
}
