//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=2
//assertion-failed

// One that fails may do so without reason: what it found may be what it expected.

__global__ void claim(int *owner) {
  int seen = 0;
  bool done = __atomic_compare_exchange_n(owner, &seen, 1, true, 0, 0);
  if (!done)
    __assert(seen != 0);
}
