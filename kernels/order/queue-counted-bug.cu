//xfail:NOT_ALL_VERIFIED
//--blockDim=1 --gridDim=4
//race

// Each block counts itself before it has filled its place.

__global__ void queue(unsigned *tail, int *q, unsigned *done, int *out) {
  __requires(*tail == 0);
  __requires(*done == 0);
  unsigned i = atomicAdd(tail, 1u);
  __threadfence();
  unsigned before = atomicAdd(done, 1u);
  q[i] = blockIdx.x;
  if (before == gridDim.x - 1) {
    __threadfence();
    for (unsigned j = 0; j < gridDim.x; j++)
      out[j] = q[j];
  }
}
