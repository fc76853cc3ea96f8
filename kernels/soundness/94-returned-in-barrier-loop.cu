//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//barrier-divergence

// The return stands in the body of the loop whose barrier others go on to.

__global__ void found(int *to, const int *key) {
  for (int i = 0; i < 8; i++) {
    if (key[i * 64 + threadIdx.x] == 0)
      return;
    __syncthreads();
    to[threadIdx.x] = i;
  }
}
