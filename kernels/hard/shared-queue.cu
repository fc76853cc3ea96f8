//pass
//--blockDim=64 --gridDim=2

// Each block appends to a queue in shared memory. The places are distinct because the counter
// is only reset in an earlier interval.

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
  __syncthreads();
  if (t < length)
    out[blockIdx.x * 64 + t] = queue[t];
  if (t == 0)
    counts[blockIdx.x] = length;
}
