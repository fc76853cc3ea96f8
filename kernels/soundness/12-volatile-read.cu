//xfail:UNPROVEN
//--blockDim=64 --gridDim=1
//barrier-divergence

// The host may change what a volatile read of global memory yields: two threads need
// not see the same. In a run nobody but the kernel changes memory.

__global__ void volatile_read(volatile int *flag) {
  if (*flag)
    __syncthreads();
  else
    __syncthreads();
}
