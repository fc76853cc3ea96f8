//prove:unproven
//

// What is known modulo 2^8 of a function is not known modulo 2^32. No run tries the size.

//@ logic int f(int k) = k <= 0 ? 1000 : (int)f(k - 1) / 2 + 256 * f(k - 1);
//@ requires 0 <= n && n <= \threads && n <= 100000;
//@ ensures \forall int j; 0 <= j < n ==> c[j] == (n == 12345 ? (unsigned char)f(1) : 116);
__global__ void k(int *c, int n) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n) { c[i] = 116; }
}
