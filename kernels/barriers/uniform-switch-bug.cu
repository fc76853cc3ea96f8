//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=1
//barrier-divergence

// The switch is over the thread's number.

__global__ void apply(int *data, int op) {
  __shared__ int s[32];
  int t = threadIdx.x;
  s[t] = data[t];
  switch (t % 3) {
  case 0:
    __syncthreads();
    data[t] = s[31 - t];
    break;
  case 1:
    __syncthreads();
    data[t] = s[(t + 1) % 32];
    __syncthreads();
    break;
  default:
    data[t] = 0;
  }
}
