//xfail:REFUTED
//--blockDim=32 --gridDim=4
//race

// Each block waits for its left neighbour on a ring, and reads from both.

__global__ void step(const int *in, int *mid, int *out, int *ready) {
  int b = blockIdx.x;
  int i = b * 32 + threadIdx.x;
  mid[i] = in[i] + 1;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicExch(ready + b, 1);
    int left = b == 0 ? 3 : b - 1;
    while (atomicAdd(ready + left, 0) == 0)
      ;
    __threadfence();
  }
  __syncthreads();
  out[i] = mid[i == 0 ? 127 : i - 1] + mid[i == 127 ? 0 : i + 1];
}
