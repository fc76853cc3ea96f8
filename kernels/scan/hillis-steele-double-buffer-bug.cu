//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=2
//read-write-race

// Source and destination are the same half.

__global__ void scan(const float *in, float *out) {
  __shared__ float temp[2 * 32];
  int tid = threadIdx.x, n = blockDim.x;
  int pout = 0, pin = 1;
  temp[tid] = tid > 0 ? in[blockIdx.x * n + tid - 1] : 0.0f;
  __syncthreads();
  for (int offset = 1; offset < n; offset *= 2) {
    pout = 1 - pout;
    pin = pout;
    if (tid >= offset)
      temp[pout * n + tid] = temp[pin * n + tid] + temp[pin * n + tid - offset];
    else
      temp[pout * n + tid] = temp[pin * n + tid];
    __syncthreads();
  }
  out[blockIdx.x * n + tid] = temp[pout * n + tid];
}
