//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2
//race

// One thread reads the counter while the others still count.

__global__ void count(const float *in, int *counter, float threshold) {
  if (threadIdx.x > 0)
    atomicAdd(counter, 1);
  if (blockIdx.x == 0 && threadIdx.x == 0)
    counter[1] = counter[0];
}
