//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2 --no-benign-tolerance
//write-write-race

// Several threads write the flag; equal values are no excuse when tolerance is off.

__global__ void any_negative(const int *a, int *flag) {
  if (a[blockIdx.x * blockDim.x + threadIdx.x] < 1000000)
    *flag = 1;
}
