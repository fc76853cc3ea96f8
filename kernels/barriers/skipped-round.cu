//pass
//--blockDim=64 --gridDim=1

// All threads skip the same rounds, and leave in the same one.
__global__ void skippedRound(int *out, int skip) {
  __shared__ int last;
  int i = 0;
  for (;;) {
    i++;
    if (out[threadIdx.x] == i)
      out[threadIdx.x] = 0;
    if ((i & 1) == (skip & 1))
      continue;
    if (i == 4)
      goto four;
    if (i == 5)
      goto five;
  }
four:
  if (threadIdx.x == 1)
    last = 4;
  __syncthreads();
  out[threadIdx.x] = last;
  return;
five:
  if (threadIdx.x == 0)
    last = 5;
  __syncthreads();
  out[threadIdx.x] = last;
}
