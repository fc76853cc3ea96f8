//pass
//--blockDim=64 --gridDim=1

// The same with a place of its own for each thread.

__global__ void by_turns(int *a, int c) {
  int x = 0;
  for (int i = 0; i < 20; i++) {
    if (i == 8 && x == 0 && !c)
      a[threadIdx.x] = threadIdx.x;
    x = x == 0 ? 10 : 0;
    if (c)
      __syncthreads();
  }
}
