//xfail:NOT_ALL_VERIFIED
//--blockDim=1 --gridDim=4
//race

// Only some of the blocks come to the gate, and all wait for these only.

__global__ void gate(unsigned *count, int *data, int *out, unsigned n) {
  __requires(*count == 0);
  data[blockIdx.x] = 1;
  __threadfence();
  if (blockIdx.x < n)
    atomicAdd(count, 1u);
  while (atomicAdd(count, 0u) < n)
    ;
  __threadfence();
  out[blockIdx.x] = data[(blockIdx.x + 1) % gridDim.x];
}
