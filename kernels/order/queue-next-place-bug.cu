//xfail:NOT_ALL_VERIFIED
//--blockDim=1 --gridDim=8
//race

// The flag that is set belongs to the next place.

__global__ void queue(unsigned *tail, int *q, int *ready, int *out) {
  __requires(*tail == 0);
  if (blockIdx.x < 4) {
    unsigned i = atomicAdd(tail, 1u);
    q[i] = blockIdx.x;
    __threadfence();
    atomicExch(ready + (i + 1) % 4, 1);
  } else {
    unsigned j = blockIdx.x - 4;
    while (atomicAdd(ready + j, 0) != 1)
      ;
    __threadfence();
    out[j] = q[j];
  }
}
