//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2
//write-write-race

// "x is zero" holds on entry and for one round; it is not an invariant.

__global__ void early(int *out, int n) {
  __requires(n == 3);
  int gid = blockIdx.x * blockDim.x + threadIdx.x;
  int x = 0;
  for (int i = 0; i < n; i++)
    x = i;
  out[x == 0 ? gid : 0] = gid;
}
