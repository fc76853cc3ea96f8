//pass
//--blockDim=32 --gridDim=1

// Spreads the maximum round a ring until nobody sees a change; the vote is a barrier.

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
  } while (__syncthreads_or(changed));
  data[t] = s[t];
}
