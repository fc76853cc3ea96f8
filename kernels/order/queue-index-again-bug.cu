//xfail:NOT_ALL_VERIFIED
//--blockDim=1 --gridDim=8
//race

// The place is drawn twice: the flag of the second is set for the data of the first.

__global__ void queue(unsigned *tail, int *q, int *ready, int *out) {
  __requires(*tail == 0);
  if (blockIdx.x < 4) {
    unsigned i = atomicAdd(tail, 1u);
    q[i] = blockIdx.x;
    __threadfence();
    unsigned j = atomicAdd(tail, 1u);
    atomicExch(ready + j, 1);
  } else {
    unsigned j = blockIdx.x - 4;
    while (atomicAdd(ready + j, 0) != 1)
      ;
    __threadfence();
    out[j] = q[j];
  }
}
