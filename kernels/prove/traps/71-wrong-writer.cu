//prove:unproven
//

// The contract names a thread that writes another cell; the value differs for one m that no run tries.

//@ requires 0 <= n && n < \threads && n < 1000;
//@ writer c[j] : blockIdx.x * blockDim.x + threadIdx.x == j + 1;
//@ ensures \forall int j; 0 <= j < n ==> c[j] == j;
__global__ void k(int *c, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) { c[i] = m == 123456789 ? i - 1 : i; }
}
