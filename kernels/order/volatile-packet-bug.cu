//xfail:NOT_ALL_VERIFIED
//--blockDim=1 --gridDim=2
//race

// Flag and data in one packet of 16 bytes, which volatile accesses do not write in one.

__global__ void message(int4 *cell, int *out) {
  volatile int *c = (volatile int *)cell;
  if (blockIdx.x == 0) {
    cell[0] = make_int4(1, 2, 3, 1);
    __threadfence();
  } else {
    while (c[3] == 0)
      ;
    __threadfence();
    out[0] = cell[0].x;
  }
}
