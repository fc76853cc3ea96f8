//xfail:NOT_ALL_VERIFIED
//--blockDim=1 --gridDim=4
//race

// The blocks come to the gate first and write then.

__global__ void gate(unsigned *count, int *data, int *out) {
  __requires(*count == 0);
  __threadfence();
  atomicAdd(count, 1u);
  data[blockIdx.x] = 1;
  while (atomicAdd(count, 0u) < gridDim.x)
    ;
  __threadfence();
  out[blockIdx.x] = data[(blockIdx.x + 1) % gridDim.x];
}
