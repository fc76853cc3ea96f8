//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//write-write-race

// In the same round of the outer loop all threads count the inner rounds alike, but
// they leave the outer loop in different rounds: x is the thread's own id.

__global__ void inner_count(int *a) {
  int tid = threadIdx.x;
  int x;
  for (int o = 0;; o++) {
    x = 0;
    for (int i = 0; i < o; i++)
      x++;
    if (o >= tid)
      break;
  }
  __syncthreads();
  a[tid - x] = tid;
}
