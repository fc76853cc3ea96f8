//prove:proved
//

// The bound leaves room for a step.

//@ requires gridDim.x == 1 && blockDim.x == 5 && n < 1000000;
//@ ensures \forall int j; 0 <= j < 5 && j < n ==> c[j] == 7;
__global__ void k(char *c, unsigned n) {
  for (unsigned k = threadIdx.x; k < n; k += 5) { c[k] = 7; }
}
