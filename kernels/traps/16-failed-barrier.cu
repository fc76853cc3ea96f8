//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//barrier-divergence

// The divergent barrier must not be used as a fact that the threads agree.

__global__ void excuse(int *out) {
  __shared__ int s[64];
  int tid = threadIdx.x;
  s[tid] = tid;
  if (tid < 16)
    __syncthreads();
  __syncthreads();
  out[tid] = s[63 - tid];
}
