//prove:refuted
//

// What is read is what the iteration before stored.

//@ requires gridDim.x == 1 && blockDim.x == 2;
//@ ensures \forall int j; 0 <= j < 2 ==> c[j] == 2;
__global__ void k(int *c) {
  __shared__ int s[2];
  int t = threadIdx.x, v = 0;
  s[t] = 5;
  __syncthreads();
  for (int p = 0; p < 3; p++) {
    v = s[1 - t];
    __syncthreads();
    s[t] = p;
    __syncthreads();
  }
  c[t] = v;
}
