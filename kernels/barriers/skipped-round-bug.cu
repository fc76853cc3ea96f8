//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//barrier-divergence

// Every round, one half of the threads goes round at once. All that get to the exits
// see the same `i` in the same round, but the even threads leave in round 5 and the
// odd ones in round 4: they wait at different barriers.
__global__ void skippedRound(int *out) {
  __shared__ int last;
  int i = 0;
  for (;;) {
    i++;
    if ((i & 1) == (threadIdx.x & 1))
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
  __syncthreads();
  out[threadIdx.x] = last;
}
