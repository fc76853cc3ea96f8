//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//race

// Planted bug: the step is one less than the number of threads.

__global__ void strided_counter(int *out) {
  for (int i = threadIdx.x; i < 256; i += 63)
    out[i] = threadIdx.x;
}
