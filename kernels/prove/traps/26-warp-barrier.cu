//prove:refuted
//

// A barrier of the warp orders what the facts do not know.

//@ requires blockDim.x == 32 && gridDim.x == 1;
//@ ensures \forall int j; 0 <= j < 32 ==> c[j] == 0;
__global__ void k(int *c, const int *a) {
  __shared__ int s[32];
  s[threadIdx.x] = 0;
  __syncthreads();
  s[threadIdx.x] = a[threadIdx.x];
  __syncwarp();
  c[threadIdx.x] = s[threadIdx.x ^ 1];
}
