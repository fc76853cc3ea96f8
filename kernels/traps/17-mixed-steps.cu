//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//write-write-race

// Steps of one and of minus one cross each other.

__global__ void mixed(int *counter, int *out) {
  int i = atomicAdd(counter, threadIdx.x % 2 == 0 ? 1 : -1);
  out[i] = threadIdx.x;
}
