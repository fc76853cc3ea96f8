//prove:proved
//

// Each thread has its own count of iterations.

//@ requires blockDim.x == 8 && gridDim.x == 1;
//@ ensures \forall int j; 0 <= j < 8 ==> c[j] == 3 * j;
__global__ void k(int *c) {
  int x = 0;
  for (int m = 0; m < threadIdx.x; m++) { x += 3; }
  c[threadIdx.x] = x;
}
