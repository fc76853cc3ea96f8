//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1

// A lock orders the stores to the cell; the last one wins, not this thread's.

__global__ void carried(int *out, int *lock) {
  __shared__ int s[1];
  unsigned t = threadIdx.x;
  while (atomicCAS(lock, 0, 1))
    ;
  __threadfence_block();
  s[0] = t;
  __threadfence_block();
  atomicExch(lock, 0);
  __syncthreads();
  out[s[0]] = t;
}
