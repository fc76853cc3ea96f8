//prove:unproven
//

// What a function of the contract yields fits no type, for its argument doubles with every call.

//@ logic int g(int k, int x) = k <= 0 ? x : g(k - 1, 2 * x);
//@ requires 0 <= n && n <= \threads && n <= 1000;
//@ ensures \forall int j; 0 <= j < n ==> g(n == 777 ? n : 0, 1) <= 9223372036854775807;
__global__ void k(int *c, int n) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n) { c[i] = 7; }
}
