//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=2
//race

// The words that a thread clears hold the counters of other threads: a barrier is missing.

#define BINS 16

__global__ void histogram(const unsigned *data, unsigned *partial) {
  __shared__ unsigned char counters[32 * BINS];
  unsigned *words = (unsigned *)counters;
  for (int i = 0; i < BINS / 4; i++)
    words[i * blockDim.x + threadIdx.x] = 0;

  for (int i = 0; i < 8; i++) {
    unsigned value = data[(blockIdx.x * 8 + i) * blockDim.x + threadIdx.x];
    counters[(value % BINS) * 32 + threadIdx.x]++;
  }
  __syncthreads();

  if (threadIdx.x < BINS) {
    unsigned sum = 0;
    for (int i = 0; i < 32; i++)
      sum += counters[threadIdx.x * 32 + i];
    partial[blockIdx.x * BINS + threadIdx.x] = sum;
  }
}
