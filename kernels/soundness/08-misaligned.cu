//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//(misaligned-access|write-write-race)

// Every access is to a whole int, but the places are bytes apart.

__global__ void misaligned(char *a) {
  *(int *)(a + threadIdx.x) = threadIdx.x;
}
