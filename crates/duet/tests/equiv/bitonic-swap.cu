// Exchanges elements that are in the wrong order.
__global__ void sort(int *out, const int *in) {
  __requires((blockDim.x & (blockDim.x - 1)) == 0);
  __shared__ int s[1024];
  unsigned t = threadIdx.x;
  s[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (unsigned k = 2; k <= blockDim.x; k *= 2)
    for (unsigned j = k / 2; j > 0; j /= 2) {
      unsigned u = t ^ j;
      if (u > t) {
        int a = s[t], b = s[u];
        bool up = (t & k) == 0;
        if (up ? b < a : a < b) { s[t] = b; s[u] = a; }
      }
      __syncthreads();
    }
  out[blockIdx.x * blockDim.x + t] = s[t];
}
