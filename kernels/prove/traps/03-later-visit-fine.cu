//prove:unproven
//

// The last iteration writes what the contract says; which one that is, proofs do not find yet.

//@ requires 0 <= n && n <= \threads;
//@ ensures \forall int j; 0 <= j < n ==> c[j] == a[j];
__global__ void k(int *c, const int *a, int n) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n) for (int k = 0; k < 2; k++) { c[i] = k ? a[i] : 0; }
}
