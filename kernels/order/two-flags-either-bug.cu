//xfail:NOT_ALL_VERIFIED
//--blockDim=1 --gridDim=3
//race

// The reader goes on when it has seen one of two flags.

__global__ void two(int *x, int *y, int *fx, int *fy, int *out) {
  __requires(*fx == 0);
  __requires(*fy == 0);
  if (blockIdx.x == 0) {
    x[0] = 1;
    __threadfence();
    atomicExch(fx, 1);
  } else if (blockIdx.x == 1) {
    y[0] = 1;
    __threadfence();
    atomicExch(fy, 1);
  } else {
    while (atomicAdd(fx, 0) == 0 && atomicAdd(fy, 0) == 0)
      ;
    __threadfence();
    out[0] = x[0] + y[0];
  }
}
