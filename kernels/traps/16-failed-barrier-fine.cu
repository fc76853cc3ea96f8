//pass
//--blockDim=64 --gridDim=1

// The condition is true for all threads.

__global__ void excuse(int *out) {
  __shared__ int s[64];
  int tid = threadIdx.x;
  s[tid] = tid;
  if (tid < 64)
    __syncthreads();
  __syncthreads();
  out[tid] = s[63 - tid];
}
