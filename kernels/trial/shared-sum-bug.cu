//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=4
//race

// Planted bug: the first thread of every block adds to the same element.

__global__ void sum(int *__restrict__ total, const int *__restrict__ part) {
  if (threadIdx.x == 0)
    *total += part[blockIdx.x];
}
