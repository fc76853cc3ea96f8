//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//write-write-race

// Without barriers (c == 0) all rounds are one interval. The inner loop goes round
// eight times, is left, and is entered again: its later rounds in the second round
// of the outer loop are not those that the first round stands for.

__global__ void entered_again(int *a, int c) {
  int tid = threadIdx.x;
  for (int o = 0; o < 2; o++)
    for (int i = 0;; i++) {
      if (i >= 8)
        break;
      if (o == 0 && i == 0)
        a[tid + 1] = 1;
      if (o == 1 && i == 3)
        a[tid] = tid;
      if (c)
        __syncthreads();
    }
}
