//pass
//--blockDim=64 --gridDim=1 --vacuity

// The write is out of reach whatever is assumed.

__global__ void assumed(int *a, int n) {
  __assume(n != 7);
  for (int i = 0; i < 4; i++) {
    if (i == 4)
      a[100] = threadIdx.x;
  }
}
