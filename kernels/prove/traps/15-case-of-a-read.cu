//prove:refuted
//

// The value of one case is not that of the other.

//@ requires blockDim.x == 8 && gridDim.x == 1;
//@ ensures \forall int j; 0 <= j < 8 ==> c[j] == a[j - 1 + 8 * (j == 0)];
__global__ void k(int *c, const int *a) {
  __shared__ int s[8];
  s[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  c[threadIdx.x] = threadIdx.x > 0 ? s[threadIdx.x - 1] : 7;
}
