//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=1
//read-write-race

// One barrier is left out in a late iteration, so that no short run shows the race.
__global__ void late(int *a, int *b) {
  for (int i = 0; i < 20000; i++) {
    a[threadIdx.x] = i;
    if (i != 17000)
      __syncthreads();
    b[threadIdx.x] = a[(threadIdx.x + 1) % blockDim.x];
    __syncthreads();
  }
}
