//pass
//--blockDim=64 --gridDim=2

// Two barriers in a uniform loop: everyone reads, then everyone writes.

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
    __syncthreads();
  }
  data[blockIdx.x * 64 + t] = s[t];
}
