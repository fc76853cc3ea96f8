//xfail:UNPROVEN
//--blockDim=32 --gridDim=4
//race

// The last block to finish adds up the others' results. A fence behind the atomic is missing
// for a proof; no run is called wrong for it.

__global__ void sum(const int *in, int *partial, unsigned *done, int *out) {
  __requires(*done == 0);
  __shared__ bool last;
  if (threadIdx.x == 0) {
    int s = 0;
    for (int i = 0; i < 32; i++)
      s += in[blockIdx.x * 32 + i];
    partial[blockIdx.x] = s;
    __threadfence();
    last = atomicInc(done, gridDim.x) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    int s = 0;
    for (int b = 0; b < gridDim.x; b++)
      s += partial[b];
    *out = s;
  }
}
