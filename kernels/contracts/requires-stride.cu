//pass
//--blockDim=64 --gridDim=2

// Without the precondition the stride could be zero.

__global__ void spread(int *a, int stride) {
  __requires(stride > 0);
  __requires(stride < 1000);
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i * stride] = i;
}
