//xfail:NOT_ALL_VERIFIED
//--blockDim=[8,8] --gridDim=1
//write-write-race

// Without the outer condition the rows overlap.

__global__ void scopes(int *out, int k, int l) {
  __requires(k == 5);
  __requires(l == 3);
  int x = threadIdx.x, y = threadIdx.y;
  if (x < k + 1) {
    if (y < l)
      for (int i = 0; i < 4; i++)
        out[(y * k + x) * 4 + i] = x;
  }
}
