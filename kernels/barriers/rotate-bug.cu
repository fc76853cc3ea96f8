//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2
//read-write-race

// The barrier at the end of the loop is missing: the next round reads what is just being written.

__global__ void rotate(int *data, int times) {
  __requires(times == 5);
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = data[blockIdx.x * 64 + t];
  __syncthreads();
  for (int i = 0; i < times; i++) {
    int v = s[(t + 1) % 64];
    __syncthreads();
    s[t] = v;
  }
  data[blockIdx.x * 64 + t] = s[t];
}
