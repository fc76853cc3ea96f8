//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2
//write-write-race

// The index loses its lowest bit.

__global__ void fill(long long *a, long long start) {
  long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  a[(i << 33) >> 34] = i;
}
