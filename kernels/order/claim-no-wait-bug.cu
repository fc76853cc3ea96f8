//xfail:NOT_ALL_VERIFIED
//--blockDim=1 --gridDim=4
//race

// The others do not wait until the cell is filled.

__global__ void claimed(int *claim, int *ready, int *data, int *out) {
  __requires(*claim == 0);
  __requires(*ready == 0);
  if (atomicCAS(claim, 0, 1) == 0) {
    data[0] = 9;
    __threadfence();
    atomicExch(ready, 1);
  }
  __threadfence();
  out[blockIdx.x] = data[0];
}
