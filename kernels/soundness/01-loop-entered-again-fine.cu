//pass
//--blockDim=64 --gridDim=1

// The same with a place of its own for each thread.

__global__ void entered_again(int *a, int c) {
  int tid = threadIdx.x;
  for (int o = 0; o < 2; o++)
    for (int i = 0;; i++) {
      if (i >= 8)
        break;
      if (o == 0 && i == 0)
        a[tid] = 1;
      if (o == 1 && i == 3)
        a[tid] = tid;
      if (c)
        __syncthreads();
    }
}
