//prove:proved
//

// Each iteration of the outer loop passes a barrier of its own.

//@ requires n <= blockDim.x && gridDim.x == 1;
//@ ensures \forall int j; 0 <= j < n ==> c[j] == a[j];
__global__ void k(int *c, const int *a, int n) {
  extern __shared__ int s[];
  int t = threadIdx.x;
  for (int p = 0; p < 2; p++) {
    __syncthreads();
  }
  s[t] = a[t];
  __syncthreads();
  if (t < n) { c[t] = s[t]; }
}
