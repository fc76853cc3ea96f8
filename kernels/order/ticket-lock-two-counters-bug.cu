//xfail:UNPROVEN
//--blockDim=1 --gridDim=4
//race

// Two counters give out the same numbers for one served word.

__global__ void locked(int *total, unsigned *next, unsigned *other, unsigned *served) {
  __requires(*next == 0);
  __requires(*other == 0);
  __requires(*served == 0);
  if (blockIdx.x < 2) {
    unsigned mine = atomicAdd(next, 1u);
    while (atomicAdd(served, 0u) != mine)
      ;
    __threadfence();
    total[0] += 1;
    __threadfence();
    atomicAdd(served, 1u);
  } else {
    unsigned mine = atomicAdd(other, 1u);
    while (atomicAdd(served, 0u) != mine)
      ;
    __threadfence();
    total[0] += 2;
    __threadfence();
    atomicAdd(served, 1u);
  }
}
