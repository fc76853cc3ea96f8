//pass
//--blockDim=32 --gridDim=1

// The loop is left early, by all threads in the same round.

__global__ void rounds(int *data, int last) {
  __requires(last == 4);
  __shared__ int s[32];
  int t = threadIdx.x;
  s[t] = data[t];
  for (int i = 0; i < 10; i++) {
    __syncthreads();
    if (i == last)
      break;
    int v = s[t ^ 1];
    __syncthreads();
    s[t] = v + i;
  }
  data[t] = s[t];
}
