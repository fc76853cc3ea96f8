//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//write-write-race

// All threads store the same two bytes, but neighbouring stores overlap in one byte, where they differ.

__global__ void overlap(unsigned char *p) {
  uchar2 v = make_uchar2(0, 1);
  *(uchar2 *)(p + threadIdx.x) = v;
}
