//pass
//--blockDim=1 --gridDim=4

// Each block draws a place and fills it, then counts itself; the last one reads the queue.

__global__ void queue(unsigned *tail, int *q, unsigned *done, int *out) {
  __requires(*done == 0);
  unsigned i = atomicAdd(tail, 1u);
  q[i] = blockIdx.x;
  __threadfence();
  if (atomicAdd(done, 1u) == gridDim.x - 1) {
    __threadfence();
    for (unsigned j = 0; j < gridDim.x; j++)
      out[j] = q[j];
  }
}
