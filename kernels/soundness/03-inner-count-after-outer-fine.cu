//pass
//--blockDim=64 --gridDim=1

// All threads leave the outer loop in the same round.

__global__ void inner_count(int *a) {
  int tid = threadIdx.x;
  int x;
  for (int o = 0;; o++) {
    x = 0;
    for (int i = 0; i < o; i++)
      x++;
    if (o >= 5)
      break;
  }
  __syncthreads();
  a[tid - x + 64] = tid;
}
