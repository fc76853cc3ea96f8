//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//write-write-race

// A compiler may fold the uninitialised variable to c; it is an unknown for the first four threads.

__global__ void uninitialised(int *out) {
  int c = threadIdx.x;
  int x;
  if (c > 3)
    x = c;
  out[x] = c;
}
