//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=4
//race

// A scatter instead of a gather: every thread adds to its neighbours' results.

#define TAPS 5

__constant__ float filter[TAPS];

__global__ void convolve(const float *in, float *out, int n) {
  __requires(n == 128);
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
  for (int k = 0; k < TAPS; k++) {
    int j = i + k - TAPS / 2;
    if (j >= 0 && j < n)
      out[j] += filter[k] * in[i];
  }
}
