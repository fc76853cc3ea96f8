//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//write-write-race

// x is 0 and 10 by turns. That it is never below its first value says nothing about
// the value that it has after a few rounds.

__global__ void by_turns(int *a, int c) {
  int x = 0;
  for (int i = 0; i < 20; i++) {
    if (i == 8 && x == 0 && !c)
      a[0] = threadIdx.x;
    x = x == 0 ? 10 : 0;
    if (c)
      __syncthreads();
  }
}
