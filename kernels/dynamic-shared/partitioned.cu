//pass
//--blockDim=32 --gridDim=2

// One block of shared memory is cut into a part for ints and a part for floats.

extern __shared__ char memory[];

__global__ void parts(const int *in, float *out) {
  int n = blockDim.x;
  int *whole = (int *)memory;
  float *real = (float *)(whole + n);
  int t = threadIdx.x;
  whole[t] = in[blockIdx.x * n + t];
  real[t] = 0.5f * t;
  __syncthreads();
  out[blockIdx.x * n + t] = real[n - 1 - t] * whole[(t + 1) % n];
}
