//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1

// The cell is protected by a lock, not by barriers: others write it too.

__global__ void k(int *out) {
  __shared__ int a[1];
  __shared__ int lock;
  unsigned t = threadIdx.x;
  if (t == 0)
    lock = 0;
  __syncthreads();
  while (atomicCAS(&lock, 0, 1))
    ;
  a[0] = t;
  __threadfence_block();
  atomicExch(&lock, 0);
  __barrier_invariant_1(a[0] == threadIdx.x, threadIdx.x);
  __syncthreads();
  out[0] = t;
}
