//pass
//--blockDim=32 --gridDim=1

// A barrier in each of many iterations, after which each thread reads its neighbour's element.
__global__ void late(int *a, int *b) {
  for (int i = 0; i < 20000; i++) {
    a[threadIdx.x] = i;
    __syncthreads();
    b[threadIdx.x] = a[(threadIdx.x + 1) % blockDim.x];
    __syncthreads();
  }
}
