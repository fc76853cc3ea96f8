//pass
//--blockDim=64 --gridDim=2

// Even and odd threads write to different arrays through one pointer.

__global__ void deal(const int *in, int *even, int *odd) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int *to = i % 2 == 0 ? even : odd;
  to[i / 2] = in[i];
}
