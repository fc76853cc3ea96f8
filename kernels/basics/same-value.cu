//pass
//--blockDim=64 --gridDim=2

// Every thread that finds a negative element writes the same value to one flag: tolerated by default.

__global__ void any_negative(const int *a, int *flag) {
  if (a[blockIdx.x * blockDim.x + threadIdx.x] < 0)
    *flag = 1;
}
