//prove:unproven
//

// From some threads on the counter steps over the end of its type, and the loop never ends.

//@ requires gridDim.x == 1 && blockDim.x == 5;
//@ ensures \forall int j; 0 <= j < 5 && j < n ==> c[j] == 7;
__global__ void k(char *c, unsigned n) {
  for (unsigned k = threadIdx.x; k < n; k += 5) { c[k] = 7; }
}
