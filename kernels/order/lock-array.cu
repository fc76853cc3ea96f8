//pass
//--blockDim=1 --gridDim=8

// Each of four locks guards one of four counters.

__global__ void locked(int *locks, int *count) {
  int i = blockIdx.x % 4;
  while (atomicCAS(locks + i, 0, 1) != 0)
    ;
  __threadfence();
  count[i] += 1;
  __threadfence();
  atomicExch(locks + i, 0);
}
