//xfail:NOT_ALL_VERIFIED
//--blockDim=2 --gridDim=1
//write-write-race

// A step of three leads to the elements of the other thread.
__global__ void hop(int *out, const int *far) {
  int i = threadIdx.x;
  while (i < 64) {
    out[i] = threadIdx.x;
    if (far[i] & 1)
      i += 3;
    else
      i += 2;
  }
}
