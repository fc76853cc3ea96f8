//prove:refuted
//

// The shared cell of another block.

//@ requires blockDim.x == 4;
//@ ensures \forall int j; 0 <= j < 4 * gridDim.x ==> c[j] == 0;
__global__ void k(int *c) {
  __shared__ int s;
  if (threadIdx.x == 0) s = blockIdx.x;
  __syncthreads();
  c[blockIdx.x * 4 + threadIdx.x] = s;
}
