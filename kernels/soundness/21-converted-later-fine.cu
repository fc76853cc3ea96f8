//pass
//--blockDim=64 --gridDim=1 --no-refute
//put into a signed variable at line 11

// Here the product is put into a signed variable before it is used. Without that
// assumption the verdict is unproven. (Runs are not looked for: there is one in which
// the product does not fit, which would be shown instead of assumed away.)

__global__ void scatter(int *a, unsigned n) {
  __requires(n < 0x80000000u);
  int i = threadIdx.x * n;
  a[(1 - ((unsigned)i >> 31)) * (threadIdx.x + 1)] = threadIdx.x;
}
