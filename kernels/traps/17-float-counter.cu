//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//write-write-race

// Beyond 2^24 a float stays where it is when one is added.

__global__ void floats(float *counter, int *out) {
  out[(int)atomicAdd(counter, 1.0f)] = threadIdx.x;
}
