//xfail:NOT_ALL_VERIFIED
//--blockDim=1 --gridDim=4
//race

// Each block sets its flag before it waits: the last but one may not have come that far.

__global__ void back(int *flag, int *data, int *out) {
  __requires(flag[0] == 0 && flag[1] == 0 && flag[2] == 0 && flag[3] == 0);
  unsigned b = blockIdx.x;
  data[b] = b;
  __threadfence();
  atomicExch(flag + b, 1);
  if (b > 0) {
    while (atomicAdd(flag + b - 1, 0) == 0)
      ;
    __threadfence();
  }
  out[b] = b > 1 ? data[b - 2] : 0;
}
