//prove:refuted
//

// The iteration that leaves the loop stores something.

//@ requires n <= blockDim.x && gridDim.x == 1;
//@ ensures \forall int j; 0 <= j < n ==> c[j] == a[j];
__global__ void k(int *c, const int *a, int n) {
  extern __shared__ int s[];
  int t = threadIdx.x;
  s[t] = a[t];
  for (int p = 0;; p++) {
    __syncthreads();
    s[t] = p == 1 ? 7 : a[t];
    if (p == 1) { break; }
  }
  if (t < n) { c[t] = s[t]; }
}
