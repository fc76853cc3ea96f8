//pass
//--blockDim=64 --gridDim=1

// Stores of each thread to a place of its own.

__global__ void between(int *a) {
  __non_temporal_loads_begin();
  a[threadIdx.x] = threadIdx.x;
  __non_temporal_loads_end();
}
