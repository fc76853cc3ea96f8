//xfail:UNPROVEN
//--blockDim=64 --gridDim=4
//race

// As real code has it: no fence behind the addition, and a plain reset. The reset needs none;
// whether the sums of the others may be read is left open.

__global__ void last(int *part, unsigned *count, int *sum) {
  __requires(*count == 0);
  __shared__ bool is_last;
  if (threadIdx.x == 0) {
    part[blockIdx.x] = blockIdx.x + 1;
    __threadfence();
    is_last = atomicInc(count, gridDim.x) == gridDim.x - 1;
  }
  __syncthreads();
  if (is_last && threadIdx.x == 0) {
    int total = 0;
    for (unsigned i = 0; i < gridDim.x; i++)
      total += part[i];
    sum[0] = total;
    *count = 0;
  }
}
