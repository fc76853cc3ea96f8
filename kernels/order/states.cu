//pass
//--blockDim=1 --gridDim=2

// The reader takes the total only if the state says so.

__global__ void states(int *part, int *total, int *state, int *out) {
  __requires(*state == 0);
  if (blockIdx.x == 0) {
    part[0] = 1;
    __threadfence();
    atomicExch(state, 1);
    total[0] = 2;
    __threadfence();
    atomicExch(state, 2);
  } else {
    int seen;
    do
      seen = atomicAdd(state, 0);
    while (seen == 0);
    __threadfence();
    if (seen == 2)
      out[0] = total[0];
    else
      out[0] = part[0];
  }
}
