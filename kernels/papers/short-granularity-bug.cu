//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//write-write-race

// The words reach over the neighbour's element.

__global__ void shorts(short *A) {
  int *words = (int *)A;
  int i = threadIdx.x;
  if (i < 32)
    words[i] = 0;
  A[i] = (short)i;
}
