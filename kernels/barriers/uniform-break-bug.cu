//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=1
//barrier-divergence

// Half of the threads leave one round earlier.

__global__ void rounds(int *data, int last) {
  __requires(last == 4);
  __shared__ int s[32];
  int t = threadIdx.x;
  s[t] = data[t];
  for (int i = 0; i < 10; i++) {
    __syncthreads();
    if (i == last - (t & 1))
      break;
    int v = s[t ^ 1];
    __syncthreads();
    s[t] = v + i;
  }
  __syncthreads();
  data[t] = s[31 - t];
}
