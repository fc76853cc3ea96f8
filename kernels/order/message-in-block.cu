//pass
//--blockDim=[64] --gridDim=1

// Within a block, fences and flags of the block's scope are enough.

__global__ void message(int *data, int *flag, int *out) {
  __requires(*flag == 0);
  if (threadIdx.x == 0) {
    data[0] = 42;
    __threadfence_block();
    atomicExch_block(flag, 1);
  } else if (threadIdx.x == 33) {
    while (atomicAdd_block(flag, 0) != 1)
      ;
    __threadfence_block();
    out[0] = data[0];
  }
}
