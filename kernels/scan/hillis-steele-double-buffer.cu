//pass
//--blockDim=32 --gridDim=2

// Two halves of one shared array take turns as source and destination.

__global__ void scan(const float *in, float *out) {
  __shared__ float temp[2 * 32];
  int tid = threadIdx.x, n = blockDim.x;
  int pout = 0, pin = 1;
  temp[tid] = tid > 0 ? in[blockIdx.x * n + tid - 1] : 0.0f;
  __syncthreads();
  for (int offset = 1; offset < n; offset *= 2) {
    pout = 1 - pout;
    pin = 1 - pout;
    if (tid >= offset)
      temp[pout * n + tid] = temp[pin * n + tid] + temp[pin * n + tid - offset];
    else
      temp[pout * n + tid] = temp[pin * n + tid];
    __syncthreads();
  }
  out[blockIdx.x * n + tid] = temp[pout * n + tid];
}
