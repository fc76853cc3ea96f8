//prove:refuted
//

// The precondition speaks of what the launch finds, not of what is read later.

//@ requires 0 <= n && n <= \threads && \forall int i; 0 <= i < n ==> a[i] == 0;
//@ ensures \forall int j; 0 <= j < n ==> c[j] == 0;
__global__ void k(int *c, int *a, int n) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n) { a[i] = 5; c[i] = a[i]; }
}
