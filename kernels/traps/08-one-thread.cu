//xfail:NOT_ALL_VERIFIED
//--blockDim=1 --gridDim=1
//assertion

// A launch of one thread has no pair of threads, but it has an assertion that fails.

__global__ void lonely(int *out, int n) {
  __assert(n > 0);
  *out = n;
}
