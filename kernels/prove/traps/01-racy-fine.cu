//prove:proved
//

// One thread writes the cell.

//@ requires 0 < n;
//@ ensures c[0] == 99;
__global__ void k(int *c, const int *a, int n) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i == 0) c[0] = 99;
}
