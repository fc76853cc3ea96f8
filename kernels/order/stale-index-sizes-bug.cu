//xfail:NOT_ALL_VERIFIED
//--blockDim=1 --gridDim=*
//race

// As `stale-index-bug`, for every number of blocks and with a loop: what a block knows of the
// index is void once it may have waited.

__global__ void stale(int *index, int *asked, int *told, int *out, int n) {
  __requires(*asked == 0);
  __requires(*told == 0);
  __requires(gridDim.x >= 2);
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += i;
  if (blockIdx.x == 0) {
    while (atomicAdd(asked, 0) != 1)
      ;
    __threadfence();
    index[0] = 5;
    __threadfence();
    atomicExch(told, 1);
    out[0] = 2;
  } else if (blockIdx.x == 1) {
    int before = index[0];
    __threadfence();
    atomicExch(asked, 1);
    while (atomicAdd(told, 0) != 1)
      ;
    __threadfence();
    if (index[0] != before)
      out[0] = sum == 0 ? 1 : 3;
  }
}
