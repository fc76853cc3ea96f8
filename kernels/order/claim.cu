//pass
//--blockDim=1 --gridDim=4

// Whoever claims the cell first fills it, and says so by a second word, for which all wait.

__global__ void claimed(int *claim, int *ready, int *data, int *out) {
  __requires(*claim == 0);
  __requires(*ready == 0);
  if (atomicCAS(claim, 0, 1) == 0) {
    data[0] = 9;
    __threadfence();
    atomicExch(ready, 1);
  }
  while (atomicAdd(ready, 0) == 0)
    ;
  __threadfence();
  out[blockIdx.x] = data[0];
}
