//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2 --no-refute
//assertion-failed

// The two threads may be in different rounds.

__global__ void uniform(int *a, int n) {
  for (int i = 0; i < 4; i++)
    __assert(__uniform_int(i));
  a[blockIdx.x * blockDim.x + threadIdx.x] = n;
}
