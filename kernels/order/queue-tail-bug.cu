//xfail:NOT_ALL_VERIFIED
//--blockDim=1 --gridDim=4
//race

// The reader trusts the counter that places were drawn from.

__global__ void queue(int *q, unsigned *tail, unsigned *done, int *out) {
  __requires(*tail == 0);
  __requires(*done == 0);
  if (blockIdx.x < 3) {
    unsigned i = atomicAdd(tail, 1u);
    q[i] = blockIdx.x;
    __threadfence();
    atomicAdd(done, 1u);
  } else {
    unsigned n = atomicAdd(tail, 0u);
    __threadfence();
    for (unsigned i = 0; i < n; i++)
      out[i] = q[i];
  }
}
