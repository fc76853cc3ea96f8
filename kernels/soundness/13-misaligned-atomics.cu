//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//(atomic-race|misaligned-access)

// Two atomic operations exclude each other on the same bytes. These overlap in part.

__global__ void misaligned_atomics(char *a) {
  atomicAdd((int *)(a + threadIdx.x), 1);
}
