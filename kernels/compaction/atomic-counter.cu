//pass
//--blockDim=64 --gridDim=2

// The positive elements are appended to the output; the counter makes their places distinct.

__global__ void compact(const int *in, int *out, unsigned *count) {
  int x = in[blockIdx.x * blockDim.x + threadIdx.x];
  if (x > 0)
    out[atomicAdd(count, 1u)] = x;
}
