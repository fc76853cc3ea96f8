//prove:unproven
//

// The conversion of a float of a function is not its bits. No run tries the size.

//@ logic float u(int k) = k <= 0 ? 1.0f : u(k - 1) * 2.0f;
//@ requires 0 <= n && n <= \threads && n <= 100000;
//@ ensures \forall int j; 0 <= j < n ==> c[j] == (n == 12345 ? (int)u(0) : 1065353216);
__global__ void k(int *c, int n) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n) { c[i] = 1065353216; }
}
