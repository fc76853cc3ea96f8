//xfail:REFUTED
//--blockDim=64 --gridDim=4
//race

// A block that does not come last puts the counter back by a plain store: others add later.

__global__ void last(int *part, unsigned *count, int *sum) {
  __requires(*count == 0);
  __shared__ bool is_last;
  if (threadIdx.x == 0) {
    part[blockIdx.x] = blockIdx.x + 1;
    __threadfence();
    is_last = atomicInc(count, gridDim.x) == gridDim.x - 2;
    __threadfence();
  }
  __syncthreads();
  if (is_last && threadIdx.x == 0)
    *count = 0;
}
