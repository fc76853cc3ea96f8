//xfail:NOT_ALL_VERIFIED
//--blockDim=1 --gridDim=4
//race

// The lock of a bucket guards its neighbour too.

__global__ void insert(int *locks, int *table, const int *keys) {
  __requires(keys[0] >= 0);
  int slot = keys[blockIdx.x] & 3;
  while (atomicCAS(locks + slot, 0, 1) != 0)
    ;
  __threadfence();
  table[slot] += 1;
  table[(slot + 1) & 3] += 1;
  __threadfence();
  atomicExch(locks + slot, 0);
}
