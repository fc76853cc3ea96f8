//pass
//--blockDim=* --gridDim=*

// The global id is distinct for every launch size.

__global__ void identity(int *a) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = i;
}
