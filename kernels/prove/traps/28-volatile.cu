//prove:unproven
//

// Two volatile reads need not agree.

//@ requires 0 <= n && n <= \threads;
//@ ensures \forall int j; 0 <= j < n ==> c[j] == 0;
__global__ void k(int *c, const volatile int *v, int n) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n) c[i] = (unsigned)v[0] - (unsigned)v[0];
}
