//xfail:NOT_ALL_VERIFIED
//--blockDim=1 --gridDim=4
//race

// A scan that looks back, without the fence before the last state.

__global__ void scan(const int *in, int *part, int *prefix, int *states) {
  int i = blockIdx.x;
  part[i] = in[i];
  if (i > 0) {
    __threadfence();
    atomicExch(states + i, 1);
  }
  int sum = 0;
  for (int j = i - 1; j >= 0; j--) {
    int state = atomicAdd(states + j, 0);
    while (state == 0)
      state = atomicAdd(states + j, 0);
    __threadfence();
    if (state == 2) {
      sum += prefix[j];
      break;
    }
    sum += part[j];
  }
  prefix[i] = sum + in[i];
  atomicExch(states + i, 2);
}
