//xfail:NOT_ALL_VERIFIED
//--blockDim=1 --gridDim=2
//race

// The second block reads an index twice, and the first one writes it in between, by leave of
// the second: the two values differ, and then both blocks write one cell.

__global__ void stale(int *index, int *asked, int *told, int *out) {
  __requires(*asked == 0);
  __requires(*told == 0);
  if (blockIdx.x == 0) {
    while (atomicAdd(asked, 0) != 1)
      ;
    __threadfence();
    index[0] = 5;
    __threadfence();
    atomicExch(told, 1);
    out[0] = 2;
  } else {
    int before = index[0];
    __threadfence();
    atomicExch(asked, 1);
    while (atomicAdd(told, 0) != 1)
      ;
    __threadfence();
    if (index[0] != before)
      out[0] = 1;
  }
}
