//prove:unproven
//

// Of two parameters of one name the second is meant, which never falls.

//@ logic int f(int k, int k) = k <= 0 ? 0 : f(k - 1, k) + 1;
//@ requires 0 <= n && n <= \threads && n <= 100000;
//@ ensures \forall int j; 0 <= j < n ==> c[j] == (n == 12345 ? (int)f(4, 5) : 7);
__global__ void k(int *c, int n) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n) { c[i] = 7; }
}
