//prove:proved
//

// A function of the contract that calls itself, at a number.

//@ logic int fib(int k) = k < 2 ? k : fib(k - 1) + fib(k - 2);
//@ requires 0 <= n <= \threads && n <= 1000;
//@ ensures \forall int j; 0 <= j < n ==> c[j] == (int)fib(4) + j;
__global__ void fibonacci(int *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) { c[i] = 3 + i; }
}
