//prove:proved
//

// Each block has its own cell.

//@ requires blockDim.x == 4;
//@ ensures \forall int b, t; 0 <= b < gridDim.x && 0 <= t < 4 ==> c[4 * b + t] == b;
__global__ void k(int *c) {
  __shared__ int s;
  if (threadIdx.x == 0) s = blockIdx.x;
  __syncthreads();
  c[blockIdx.x * 4 + threadIdx.x] = s;
}
