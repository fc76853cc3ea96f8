//pass
//

// Tree reduction whose stride doubles, for any block: no block has more than 1024 threads,
// so the stride takes few values.

__global__ void strided(const int *in, int *out) {
  extern __shared__ int s[];
  int t = threadIdx.x;
  s[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (int k = 1; k < blockDim.x; k *= 2) {
    int i = 2 * k * t;
    if (i + k < blockDim.x)
      s[i] += s[i + k];
    __syncthreads();
  }
  if (t == 0)
    out[blockIdx.x] = s[0];
}
