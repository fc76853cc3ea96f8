//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2
//write-write-race

// A scatter: nothing says that the indices are distinct.

__global__ void gather(const unsigned char *index, const float *src, float *dst) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  dst[index[i]] = src[i];
}
