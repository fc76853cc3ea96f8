//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//write-write-race

// Beyond 2^24 a float stays where it is when one is added.

__global__ void floats(float *counter, int *out) {
  __requires(*counter == 16777216.0f);
  out[(int)atomicAdd(counter, 1.0f)] = threadIdx.x;
}
