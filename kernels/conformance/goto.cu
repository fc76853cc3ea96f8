//pass
//--blockDim=64 --gridDim=2

// The CUDA version of goto.cl: the same jumps.

__global__ void jump(int *out, const int *a) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned x = a[i];
  int steps = 0;
again:
  if (steps >= 20)
    goto too_long;
  if (x % 7 == 3)
    goto found;
  x = x * 1103515245u + 12345u;
  steps++;
  goto again;
too_long:
  steps = -1;
found:
  out[i] = steps * 16 + (int)(x & 15);
}
