//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1

// A compiler may delete the store through null and then assume that no thread has the number 3.

__global__ void null_store(int *out) {
  int c = threadIdx.x;
  int *p = 0;
  if (c == 3)
    *p = 1;
  out[c] = 1;
}
