//xfail:NOT_ALL_VERIFIED
//--blockDim=1 --gridDim=2
//race

// Fences and flags of the block's scope between two blocks.

__global__ void message(int *data, int *flag, int *out) {
  __requires(*flag == 0);
  if (blockIdx.x == 0) {
    data[0] = 42;
    __threadfence_block();
    atomicExch_block(flag, 1);
  } else {
    while (atomicAdd_block(flag, 0) != 1)
      ;
    __threadfence_block();
    out[0] = data[0];
  }
}
