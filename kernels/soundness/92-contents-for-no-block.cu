//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//vacuous

// Whatever `p` holds, one of the first eight threads breaks the precondition; any seven
// of them can meet it.

__global__ void needs_all(int *a, const unsigned *p) {
  __requires((p[0] & 7) != threadIdx.x);
  a[threadIdx.x] = threadIdx.x;
}
