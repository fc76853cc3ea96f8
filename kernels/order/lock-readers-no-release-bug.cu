//xfail:NOT_ALL_VERIFIED
//--blockDim=1 --gridDim=4
//race

// Nobody has a fence before the giving back.

__global__ void readers(int *lock, int *data, int *out) {
  __requires(*lock == 0);
  while (atomicCAS(lock, 0, 1) != 0)
    ;
  __threadfence();
  if (blockIdx.x == 0)
    data[0] = 1;
  else
    out[blockIdx.x] = data[0];
  
  atomicExch(lock, 0);
}
