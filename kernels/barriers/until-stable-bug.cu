//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=1
//barrier-divergence

// Each thread decides for itself whether to go round again.

__global__ void spread(int *data) {
  __shared__ int s[32];
  int t = threadIdx.x;
  s[t] = data[t];
  __syncthreads();
  bool changed;
  do {
    int best = max(s[t], s[(t + 1) & 31]);
    changed = best != s[t];
    __syncthreads();
    s[t] = best;
    __syncthreads();
  } while (changed);
  __syncthreads();
  data[t] = s[31 - t];
}
