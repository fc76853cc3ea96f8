//prove:refuted
//

// A finished loop wrote the cell after the first store.

//@ requires blockDim.x == 8;
//@ ensures \forall int j; 0 <= j < 8 * gridDim.x ==> c[j] == a[j];
__global__ void k(int *c, const int *a) {
  __shared__ int s[8];
  int i = 8 * blockIdx.x + threadIdx.x;
  s[threadIdx.x] = a[i];
  for (int m = 0; m < 1; m++) { s[threadIdx.x] = 7; }
  c[i] = s[threadIdx.x];
}
