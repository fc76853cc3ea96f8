//pass
//--blockDim=1 --gridDim=3

// The reader waits for both flags.

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
    while (atomicAdd(fx, 0) == 0)
      ;
    while (atomicAdd(fy, 0) == 0)
      ;
    __threadfence();
    out[0] = x[0] + y[0];
  }
}
