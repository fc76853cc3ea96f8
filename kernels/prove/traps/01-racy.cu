//prove:refuted
//

// All threads write one cell: facts about several writers would contradict each other.

//@ requires 0 < n;
//@ ensures c[0] == 99;
__global__ void k(int *c, const int *a, int n) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  c[0] = i;
}
