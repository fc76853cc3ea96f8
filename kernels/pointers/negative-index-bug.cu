//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//write-write-race

// Half of the threads count from the start and meet the others.

__global__ void from_the_end(int *a, int n) {
  __requires(n == 64);
  int *end = a + n;
  int i = threadIdx.x;
  if (i < 40)
    end[-1 - i] = i;
  else
    a[i - 30] = i;
}
