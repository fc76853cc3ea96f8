//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=2
//write-write-race

// The second part starts inside the first: bytes were counted as elements.

extern __shared__ char memory[];

__global__ void parts(const int *in, float *out) {
  int n = blockDim.x;
  int *whole = (int *)memory;
  float *real = (float *)(memory + n);
  int t = threadIdx.x;
  whole[t] = in[blockIdx.x * n + t];
  real[t] = 0.5f * t;
  __syncthreads();
  out[blockIdx.x * n + t] = real[n - 1 - t] * whole[(t + 1) % n];
}
