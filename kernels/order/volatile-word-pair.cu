//pass
//--blockDim=1 --gridDim=2

// Flag and data in one word of 8 bytes: the word is all that is read.

__global__ void message(unsigned long long *cell, int *out) {
  __requires(*cell == 0);
  if (blockIdx.x == 0) {
    __threadfence();
    *(volatile unsigned long long *)cell = 42ull << 32 | 1;
  } else {
    unsigned long long seen;
    do
      seen = *(volatile unsigned long long *)cell;
    while ((seen & 1) == 0);
    __threadfence();
    out[0] = (int)(seen >> 32);
  }
}
