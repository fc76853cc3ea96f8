//xfail:NOT_ALL_VERIFIED
//--blockDim=1 --gridDim=8
//race

// The lock is chosen by another remainder than the cell.

__global__ void locked(int *cells, int *locks, int n) {
  int c = blockIdx.x % 4, l = blockIdx.x % 3;
  while (atomicCAS(locks + l, 0, 1) != 0)
    ;
  __threadfence();
  cells[c] += 1;
  __threadfence();
  atomicExch(locks + l, 0);
}
