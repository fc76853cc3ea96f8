//prove:proved
//

// Everybody writes before the barrier.

//@ requires blockDim.x == 8 && gridDim.x == 1;
//@ ensures \forall int j; 0 <= j < 8 ==> c[j] == a[j ^ 1];
__global__ void k(int *c, const int *a) {
  __shared__ int s[8];
  s[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  c[threadIdx.x] = s[threadIdx.x ^ 1];
}
