//xfail:NOT_ALL_VERIFIED
//--blockDim=1 --gridDim=8
//race

// Each of four locks is used, and all guard the same counter.

__global__ void locked(int *locks, int *count) {
  int i = blockIdx.x % 4;
  while (atomicCAS(locks + i, 0, 1) != 0)
    ;
  __threadfence();
  count[0] += 1;
  __threadfence();
  atomicExch(locks + i, 0);
}
