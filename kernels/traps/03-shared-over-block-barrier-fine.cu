//pass
//--blockDim=64 --gridDim=2

// Without the overwriting the blocks use different cells.

__global__ void forgotten(int *out) {
  __shared__ int s[64];
  int tid = threadIdx.x, b = blockIdx.x;
  s[tid] = 64 * b + tid;
  __syncthreads();
  __syncthreads();
  if (tid == 0)
    out[s[0]] = b;
}
