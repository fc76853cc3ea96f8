//pass
//--blockDim=64 --gridDim=1

// Nobody leaves, and every thread claims its own cell.

__global__ void k(int *out) {
  __shared__ int a[64];
  unsigned t = threadIdx.x;

  a[t] = t;
  __barrier_invariant_1(a[threadIdx.x] == threadIdx.x, threadIdx.x ^ 32);
  __syncthreads();
  out[a[t ^ 32] == (t ^ 32) ? t : 0] = t;
}
