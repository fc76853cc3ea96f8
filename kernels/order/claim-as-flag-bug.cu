//xfail:NOT_ALL_VERIFIED
//--blockDim=1 --gridDim=4
//race

// That the cell was claimed does not say that it was filled.

__global__ void claimed(int *claim, int *ready, int *data, int *out) {
  __requires(*claim == 0);
  __requires(*ready == 0);
  if (atomicCAS(claim, 0, 1) == 0) {
    data[0] = 9;
    __threadfence();
  }
  while (atomicAdd(claim, 0) == 0)
    ;
  __threadfence();
  out[blockIdx.x] = data[0];
}
