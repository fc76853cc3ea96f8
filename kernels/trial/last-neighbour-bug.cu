//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1 --check-array-bounds
//out-of-bounds

// Planted bug: the last thread has no right neighbour.

__global__ void steps(int *__restrict__ out, const int *__restrict__ in) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  out[t] = s[t + 1] - s[t];
}
