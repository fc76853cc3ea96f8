//pass
//--blockDim=64 --gridDim=1
//put into a signed variable at line 9

// Here the product is put into a signed variable before it is used. Without that
// assumption the verdict is unproven.

__global__ void scatter(int *a, unsigned n) {
  int i = threadIdx.x * n;
  a[(1 - ((unsigned)i >> 31)) * (threadIdx.x + 1)] = threadIdx.x;
}
