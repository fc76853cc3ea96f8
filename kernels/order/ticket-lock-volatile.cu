//pass
//--blockDim=1 --gridDim=4

// A lock by tickets whose served number is read as volatile.

__global__ void locked(unsigned *next, unsigned *served, int *count) {
  __requires(*next == 0);
  __requires(*served == 0);
  unsigned own = atomicAdd(next, 1u);
  while (*(volatile unsigned *)served != own)
    ;
  __threadfence();
  count[0] += 1;
  __threadfence();
  atomicAdd(served, 1u);
}
