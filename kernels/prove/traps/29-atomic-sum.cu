//prove:refuted
//

// Only some threads add.

//@ requires 0 <= n && n < \threads;
//@ ensures c[0] == (int)(\old(c[0]) + \threads);
__global__ void k(int *c, int n) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n) atomicAdd(c, 1);
}
