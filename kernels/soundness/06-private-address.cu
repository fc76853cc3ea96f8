//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//write-write-race

// Each thread's private array has an address of its own.

__global__ void private_address(int *a) {
  int own[2];
  size_t place = (size_t)(void *)own;
  a[(place + threadIdx.x) & 63] = threadIdx.x;
}
