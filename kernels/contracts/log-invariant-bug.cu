//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2
//invariant-failed

// Without a barrier the write of one iteration is still logged at the next one's head.

__global__ void steps(int *out) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 0; __invariant(__no_write(out)), i < 10; i++)
    out[i * 128 + x] = i;
}
