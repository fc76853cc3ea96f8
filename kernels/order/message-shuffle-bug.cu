//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=2
//race

// A shuffle hands on what was seen, but orders no memory.

__global__ void message(int *flag, int *data, int *out) {
  __requires(*flag == 0);
  if (blockIdx.x == 0) {
    if (threadIdx.x == 0) {
      for (int i = 0; i < 32; i++)
        data[i] = i;
      __threadfence();
      atomicExch(flag, 1);
    }
  } else {
    bool seen = false;
    if (threadIdx.x == 0) {
      seen = atomicAdd(flag, 0) == 1;
      __threadfence();
    }
    if (__shfl_sync(0xffffffffu, (int)seen, 0))
      out[threadIdx.x] = data[threadIdx.x];
  }
}
