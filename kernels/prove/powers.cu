//prove:proved
//

// Powers of two.

//@ requires 0 <= n <= 31 && n <= \threads;
//@ ensures \forall int j; 0 <= j < n ==> c[j] == \pow2(j);
__global__ void powers(unsigned *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) { c[i] = 1u << i; }
}
