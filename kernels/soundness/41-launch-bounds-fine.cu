//pass
//--blockDim=* --gridDim=1

// A launch of more threads than the bound fails to start.

__global__ void __launch_bounds__(64) launch_bounds(int *a) {
  a[threadIdx.x & 63] = threadIdx.x;
}
