//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=2
//race

// The downsweep has no barrier between its levels.

#define N 64

__global__ void prescan(const int *in, int *out) {
  __shared__ int s[N];
  int tid = threadIdx.x;
  int base = blockIdx.x * N;
  int offset = 1;
  s[2 * tid] = in[base + 2 * tid];
  s[2 * tid + 1] = in[base + 2 * tid + 1];

  for (int d = N / 2; d > 0; d /= 2) {
    __syncthreads();
    if (tid < d) {
      int left = offset * (2 * tid + 1) - 1;
      int right = offset * (2 * tid + 2) - 1;
      s[right] += s[left];
    }
    offset *= 2;
  }

  if (tid == 0)
    s[N - 1] = 0;

  for (int d = 1; d < N; d *= 2) {
    offset /= 2;
    if (tid < d) {
      int left = offset * (2 * tid + 1) - 1;
      int right = offset * (2 * tid + 2) - 1;
      int t = s[left];
      s[left] = s[right];
      s[right] += t;
    }
  }
  __syncthreads();

  out[base + 2 * tid] = s[2 * tid];
  out[base + 2 * tid + 1] = s[2 * tid + 1];
}
