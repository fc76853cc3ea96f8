//pass
//--blockDim=64 --gridDim=1
//no signed overflow at line 12

// Both products are computed before the accesses: no signed overflow keeps the
// threads apart.

__global__ void scatter(int *a, int *b, int n, int flag) {
  int t = threadIdx.x;
  if (n <= 0)
    return;
  int p = t * n;
  a[p] = t;
  if (flag)
    b[p] = t;
}
