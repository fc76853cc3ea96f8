//xfail:REFUTED
//--blockDim=64 --gridDim=4
//race

// Whether one waits is decided by each thread for itself: the first thread may not wait, and
// others read.

__global__ void chain(const int *in, int *data, int *flags, int *out) {
  int b = blockIdx.x;
  int i = b * blockDim.x + threadIdx.x;
  data[i] = i;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicExch(flags + b, 1);
    if (b > 0 && in[i] > 0) {
      while (atomicAdd(flags + b - 1, 0) != 1)
        ;
      __threadfence();
    }
  }
  __syncthreads();
  if (b > 0 && in[i] > 0)
    out[i] = data[i - 64];
}
