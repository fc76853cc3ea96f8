//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2
//barrier-divergence

// Whether the second voting barrier is reached depends on the thread.

__global__ void zeros(const int *in, int *out) {
  int gid = blockIdx.x * blockDim.x + threadIdx.x;
  int n = __syncthreads_count(in[gid] == 0);
  if (threadIdx.x > 20 || __syncthreads_and(in[gid] >= 0))
    out[gid] = n;
  __syncthreads();
}
