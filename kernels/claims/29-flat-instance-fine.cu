//pass
//--blockDim=[8,8] --gridDim=1

// In a block of two dimensions a number means the thread with that number.

__global__ void k(int *out) {
  __shared__ int a[64];
  unsigned f = threadIdx.x + 8 * threadIdx.y;
  a[f] = 0;
  __barrier_invariant_1(a[threadIdx.x + 8 * threadIdx.y] == 0, 63 - f);
  __syncthreads();
  if (a[63 - f])
    out[0] = f;
}
