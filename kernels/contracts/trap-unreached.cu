//pass
//--blockDim=64 --gridDim=1

// A trap that no thread reaches.

__global__ void check(const int *in, int *out) {
  if (threadIdx.x > 64)
    __trap();
  out[threadIdx.x] = in[threadIdx.x];
}
