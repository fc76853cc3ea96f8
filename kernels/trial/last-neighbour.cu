//pass
//--blockDim=64 --gridDim=1 --check-array-bounds

// Differences of neighbours; the last thread has none.

__global__ void steps(int *__restrict__ out, const int *__restrict__ in) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  out[t] = t < 63 ? s[t + 1] - s[t] : 0;
}
