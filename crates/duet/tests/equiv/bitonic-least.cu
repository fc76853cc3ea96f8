// Each thread keeps the lesser or the greater of two.
__global__ void sort(int *out, const int *in) {
  __requires((blockDim.x & (blockDim.x - 1)) == 0);
  __shared__ int s[1024];
  unsigned t = threadIdx.x;
  s[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (unsigned k = 2; k <= blockDim.x; k *= 2)
    for (unsigned j = k / 2; j > 0; j /= 2) {
      int a = s[t], b = s[t ^ j];
      bool least = ((t & k) == 0) == ((t & j) == 0);
      int v = least ? min(a, b) : max(a, b);
      __syncthreads();
      s[t] = v;
      __syncthreads();
    }
  out[blockIdx.x * blockDim.x + t] = s[t];
}
