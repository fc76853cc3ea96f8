//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1 --no-refute
//race

// The differences are computed in unsigned and are negative in their variables, in
// some threads of every launch. It may not be assumed that they are not.

__global__ void negative(int *a, int *b, int *c) {
  int left = threadIdx.x - 32;
  if (left < 0)
    a[0] = threadIdx.x;
  int halo = blockIdx.x * 64 + threadIdx.x - 32 + 1;
  if (halo < 0)
    b[0] = threadIdx.x;
  int odd = threadIdx.x * 0x80000000u;
  if (odd < 0)
    c[0] = threadIdx.x;
}
