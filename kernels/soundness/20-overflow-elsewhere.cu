//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//race

// The signed product may be assumed not to overflow only where it is computed. The
// unsigned one before it wraps: with n = 0x40000000 threads 0 and 4 meet, and if
// flag is 0 nothing overflows in the whole run.

__global__ void scatter(int *a, int *b, int n, int flag) {
  int t = threadIdx.x;
  if (n <= 0)
    return;
  a[(unsigned)t * (unsigned)n] = t;
  if (flag) {
    int p = t * n;
    b[p] = t;
  }
}
