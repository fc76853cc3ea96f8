// Neighbours come from shared memory; two threads also load the edges.
__global__ void stencil(float *out, const float *in, int n) {
  __shared__ float s[1026];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + t;
  if (i < n) s[t + 1] = in[i];
  if (t == 0 && i > 0 && i - 1 < n) s[0] = in[i - 1];
  if (t == blockDim.x - 1 && i + 1 < n) s[t + 2] = in[i + 1];
  __syncthreads();
  if (i > 0 && i < n - 1) out[i] = (s[t] + s[t + 1]) + s[t + 2];
}
