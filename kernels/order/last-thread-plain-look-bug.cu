//xfail:REFUTED
//--blockDim=64 --gridDim=4
//race

// The counter is put back by the last thread, and others look at it plainly.

__global__ void last(int *out, unsigned *count) {
  __requires(*count == 0);
  unsigned n = gridDim.x * blockDim.x;
  __threadfence();
  if (atomicAdd(count, 1u) == n - 1)
    *count = 0;
  else
    out[blockIdx.x * blockDim.x + threadIdx.x] = *count;
}
