//xfail:NOT_ALL_VERIFIED
//--blockDim=1 --gridDim=8
//race

// A ring of two places for four writers: a place is written again before it was read.

__global__ void queue(unsigned *tail, int *q, int *ready, int *out) {
  __requires(*tail == 0);
  if (blockIdx.x < 4) {
    unsigned i = atomicAdd(tail, 1u) % 2;
    q[i] = blockIdx.x;
    __threadfence();
    atomicExch(ready + i, 1);
  } else {
    unsigned j = (blockIdx.x - 4) % 2;
    while (atomicAdd(ready + j, 0) != 1)
      ;
    __threadfence();
    out[blockIdx.x] = q[j];
  }
}
