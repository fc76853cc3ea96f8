//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2
//race

// Elements are taken from the queue before all have been put in.

__global__ void compact(const int *in, int *out, int *counts) {
  __shared__ int queue[64];
  __shared__ int length;
  int t = threadIdx.x;
  if (t == 0)
    length = 0;
  __syncthreads();
  int x = in[blockIdx.x * 64 + t];
  if ((x & 1) == 0)
    queue[atomicAdd(&length, 1)] = x;
  if (t < length)
    out[blockIdx.x * 64 + t] = queue[t];
  if (t == 0)
    counts[blockIdx.x] = length;
}
