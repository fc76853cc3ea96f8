//pass
//--blockDim=32 --gridDim=1

// Barriers in an inner loop and in the outer one.

__global__ void passes(int *data) {
  __shared__ int s[32];
  int t = threadIdx.x;
  s[t] = data[t];
  __syncthreads();
  for (int round = 0; round < 3; round++) {
    for (int d = 1; d < 32; d *= 2) {
      int v = s[t ^ d];
      __syncthreads();
      s[t] += v;
      __syncthreads();
    }
    if (t == 0)
      s[0] = round;
    __syncthreads();
  }
  data[t] = s[t];
}
