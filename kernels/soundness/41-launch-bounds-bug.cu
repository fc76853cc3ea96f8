//xfail:NOT_ALL_VERIFIED
//--blockDim=128 --gridDim=1
//write-write-race

// The bound of the kernel is no bound of a launch whose size is given: whatever becomes
// of it, two threads write each element.

__global__ void __launch_bounds__(64) launch_bounds(int *a) {
  a[threadIdx.x & 63] = threadIdx.x;
}
