//pass
//--blockDim=64 --gridDim=2

// A counting barrier: all threads learn how many of them found a zero.

__global__ void zeros(const int *in, int *out) {
  int gid = blockIdx.x * blockDim.x + threadIdx.x;
  int n = __syncthreads_count(in[gid] == 0);
  if (n == 64 || __syncthreads_and(in[gid] >= 0))
    out[gid] = n;
}
