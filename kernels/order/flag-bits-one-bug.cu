//xfail:NOT_ALL_VERIFIED
//--blockDim=1 --gridDim=3
//race

// The reader waits for one of the bits.

__global__ void bits(int *seen, int *data, int *out) {
  __requires(*seen == 0);
  if (blockIdx.x < 2) {
    data[blockIdx.x] = 5;
    __threadfence();
    atomicOr(seen, 1 << blockIdx.x);
  } else {
    while ((atomicOr(seen, 0) & 1) == 0)
      ;
    __threadfence();
    out[0] = data[0] + data[1];
  }
}
