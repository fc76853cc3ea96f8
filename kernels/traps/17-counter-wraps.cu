//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//write-write-race

// The counter starts again after 31: 64 threads get each value twice.

__global__ void wraps(unsigned *counter, int *out) {
  out[atomicInc(counter, 31)] = threadIdx.x;
}
