//prove:refuted
//

// How often a loop runs differs from thread to thread.

//@ requires blockDim.x == 8 && gridDim.x == 1;
//@ ensures \forall int j; 0 <= j < 8 ==> c[j] == 3 * j;
__global__ void k(int *c) {
  __shared__ int s[8];
  int x = 0;
  for (int m = 0; m < threadIdx.x; m++) { x += 3; }
  s[threadIdx.x] = x;
  __syncthreads();
  c[threadIdx.x] = s[0];
}
