//pass
//--blockDim=64 --gridDim=1

// Threads leave the loop before the assumption fails.

__global__ void assumed(int *a) {
  for (int i = 0; __invariant(i <= 5), i < 5; i++) {
    __assume(i < 5);
    a[threadIdx.x] = i;
  }
  a[threadIdx.x] = threadIdx.x;
}
