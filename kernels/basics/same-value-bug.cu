//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2
//write-write-race

// Writes the thread's own number, so the values differ.

__global__ void any_negative(const int *a, int *flag) {
  if (a[blockIdx.x * blockDim.x + threadIdx.x] < 1000000)
    *flag = threadIdx.x;
}
