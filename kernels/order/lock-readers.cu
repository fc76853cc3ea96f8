//pass
//--blockDim=1 --gridDim=4

// Readers take the lock too, with fences.

__global__ void readers(int *lock, int *data, int *out) {
  __requires(*lock == 0);
  while (atomicCAS(lock, 0, 1) != 0)
    ;
  __threadfence();
  if (blockIdx.x == 0)
    data[0] = 1;
  else
    out[blockIdx.x] = data[0];
  __threadfence();
  atomicExch(lock, 0);
}
