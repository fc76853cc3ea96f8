//xfail:NOT_ALL_VERIFIED
//--blockDim=1 --gridDim=4
//race

// A spin lock around a plain update. Fences and locks order nothing in Duet's definition of a race,
// so the update is reported although real hardware would serialise it.

__global__ void add(int *lock, int *sum, const int *in) {
  __requires(*lock == 0);
  while (atomicCAS(lock, 0, 1) != 0)
    ;
  __threadfence();
  *sum += in[blockIdx.x];
  __threadfence();
  atomicExch(lock, 0);
}
