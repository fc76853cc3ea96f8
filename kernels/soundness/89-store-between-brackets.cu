//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//write-write-race

// The brackets are about reads: a store between them is a store of the kernel.

__global__ void between(int *a) {
  __non_temporal_loads_begin();
  a[0] = threadIdx.x;
  __non_temporal_loads_end();
}
