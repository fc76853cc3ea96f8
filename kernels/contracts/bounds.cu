//pass
//--blockDim=64 --gridDim=1 --check-array-bounds

// All accesses to the shared array are inside it.

__global__ void halo(const int *in, int *out) {
  __shared__ int s[66];
  int t = threadIdx.x;
  s[t + 1] = in[t];
  if (t == 0) {
    s[0] = 0;
    s[65] = 0;
  }
  __syncthreads();
  out[t] = s[t] + s[t + 1] + s[t + 2];
}
