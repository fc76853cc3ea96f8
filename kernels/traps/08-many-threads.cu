//xfail:NOT_ALL_VERIFIED
//--blockDim=1024 --gridDim=2097152
//write-write-race

// 2^31 threads in one dimension: more than the assumption for free sizes allows, but these are given.

__global__ void crowd(int *out) {
  out[0] = threadIdx.x;
}
