//prove:proved
//

// A polynomial of numbers without sign, by Horner.

//@ requires 0 <= n && n <= \threads;
//@ ensures \forall int j; 0 <= j < n ==> y[j] == (unsigned)(a*x[j]*x[j] + b*x[j] + c);
__global__ void poly(unsigned *y, const unsigned *x, unsigned a, unsigned b, unsigned c, int n) {
  int i = blockIdx.x*blockDim.x + threadIdx.x;
  if (i < n) y[i] = (a*x[i] + b)*x[i] + c;
}
