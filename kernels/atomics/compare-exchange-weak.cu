//pass
//--blockDim=32 --gridDim=2

// A weak compare-exchange that succeeds has found what it expected.

__global__ void claim(int *owner) {
  int seen = 0;
  bool done = __atomic_compare_exchange_n(owner, &seen, 1, true, 0, 0);
  if (done)
    __assert(seen == 0);
}
