//prove:proved
//

// Blocks beyond the last row return before the barrier, each as a whole.

//@ requires 0 <= h && h <= gridDim.x;
//@ ensures \forall int r; 0 <= r < h ==> \forall int t; 0 <= t < blockDim.x ==> out[r * blockDim.x + t] == in[r * blockDim.x + (blockDim.x - 1 - t)];
__global__ void reverse_rows(int *out, const int *in, int h) {
  extern __shared__ int s[];
  int r = blockIdx.x, t = threadIdx.x;
  if (r >= h) return;
  s[t] = in[r * blockDim.x + t];
  __syncthreads();
  out[r * blockDim.x + t] = s[blockDim.x - 1 - t];
}
