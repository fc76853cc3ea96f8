//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2
//race

// The threads read if the first one has not seen the flag.

__global__ void message(int *flag, int *data, int *out) {
  __requires(*flag == 0);
  if (blockIdx.x == 0) {
    if (threadIdx.x == 0) {
      for (int i = 0; i < 64; i++)
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
    if (!__syncthreads_or(seen))
      out[threadIdx.x] = data[threadIdx.x];
  }
}
