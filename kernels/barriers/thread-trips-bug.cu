//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=1
//barrier-divergence

// The trip count of a loop with a barrier depends on the thread.

__global__ void trips(int *data) {
  for (int i = 0; i < threadIdx.x; i++) {
    data[threadIdx.x] += i;
    __syncthreads();
  }
  __syncthreads();
  data[threadIdx.x] = 0;
}
