//xfail:NOT_ALL_VERIFIED
//--blockDim=1 --gridDim=4
//race

// The lock is a word, and one of its halves is given back by a store of two bytes.

__global__ void locked(int *total, int *lock) {
  __requires(*lock == 0);
  while (atomicCAS(lock, 0, 1) != 0)
    ;
  __threadfence();
  total[0] += 1;
  __threadfence();
  *(volatile short *)lock = 0;
}
