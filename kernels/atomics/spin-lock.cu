//xfail:NOT_ALL_VERIFIED
//--blockDim=1 --gridDim=4
//race

// A spin lock around a plain update. The fences and the lock order it in every run; no proof uses
// that, so it is not proved, and not refuted.

__global__ void add(int *lock, int *sum, const int *in) {
  __requires(*lock == 0);
  while (atomicCAS(lock, 0, 1) != 0)
    ;
  __threadfence();
  *sum += in[blockIdx.x];
  __threadfence();
  atomicExch(lock, 0);
}
