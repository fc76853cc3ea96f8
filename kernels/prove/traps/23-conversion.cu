//prove:refuted
//

// A conversion to int does not keep large values.

//@ requires 0 <= n && n <= \threads;
//@ ensures \forall int j; 0 <= j < n ==> c[j] == u[j] + 1;
__global__ void k(int *c, const unsigned *u, int n) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n) { int v = u[i] + 1u; c[i] = v; }
}
