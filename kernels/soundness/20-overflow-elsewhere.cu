//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//race

// The signed product may be assumed not to overflow only where it is computed. The
// unsigned one before it wraps: threads 0 and 4 meet, and nothing overflows in the
// whole run.

__global__ void scatter(int *a, int *b, int n, int flag) {
  __requires(n == 0x40000000);
  __requires(flag == 0);
  int t = threadIdx.x;
  a[((unsigned)t * (unsigned)n) >> 26] = t;
  if (flag) {
    int p = t * n;
    b[p >> 26] = t;
  }
}
