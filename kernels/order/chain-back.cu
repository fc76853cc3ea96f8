//pass
//--blockDim=1 --gridDim=4

// Each block waits for the one before, which has waited for the one before that.

__global__ void back(int *flag, int *data, int *out) {
  __requires(flag[0] == 0 && flag[1] == 0 && flag[2] == 0 && flag[3] == 0);
  unsigned b = blockIdx.x;
  if (b > 0) {
    while (atomicAdd(flag + b - 1, 0) == 0)
      ;
    __threadfence();
  }
  data[b] = b;
  out[b] = b > 1 ? data[b - 2] : 0;
  __threadfence();
  atomicExch(flag + b, 1);
}
