//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=4
//race

// The additions to the bins are atomic for their own block only.

__global__ void bins(unsigned *count, int *bin, int *out) {
  __requires(*count == 0);
  __shared__ bool is_last;
  atomicAdd_block(bin + (threadIdx.x & 3), 1);
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    is_last = atomicAdd(count, 1u) == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  if (is_last && threadIdx.x < 4)
    out[threadIdx.x] = bin[threadIdx.x];
}
