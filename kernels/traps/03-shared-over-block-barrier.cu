//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2
//write-write-race

// The thread's own write to shared memory must be forgotten at the barrier, also for threads of different blocks.

__global__ void forgotten(int *out) {
  __shared__ int s[64];
  int tid = threadIdx.x, b = blockIdx.x;
  s[tid] = 64 * b + tid;
  __syncthreads();
  s[63 - tid] = 0;
  __syncthreads();
  if (tid == 0)
    out[s[0]] = b;
}
