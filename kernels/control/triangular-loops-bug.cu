//xfail:NOT_ALL_VERIFIED
//--blockDim=16 --gridDim=1
//write-write-race

// The outermost factor is too small.

__global__ void triangle(int *a) {
  int t = threadIdx.x;
  for (int i = 0; i < 4; i++)
    for (int j = i; j < 4; j++)
      for (int k = 0; k <= j - i; k++)
        a[((t * 3 + i) * 4 + j) * 4 + k] = t;
}
