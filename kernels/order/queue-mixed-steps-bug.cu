//xfail:NOT_ALL_VERIFIED
//--blockDim=1 --gridDim=6
//race

// Some writers draw without moving on: two of them fill one place.

__global__ void queue(unsigned *tail, int *q, int *ready, int *out) {
  __requires(*tail == 0);
  if (blockIdx.x < 4) {
    unsigned i = atomicAdd(tail, blockIdx.x % 2);
    q[i] = blockIdx.x;
    __threadfence();
    atomicExch(ready + i, 1);
  } else {
    unsigned j = blockIdx.x - 4;
    while (atomicAdd(ready + j, 0) != 1)
      ;
    __threadfence();
    out[j] = q[j];
  }
}
