//pass
//--blockDim=32 --gridDim=1

// The loop starts at the thread's number, but all threads go round equally often.

__global__ void accumulate(const int *in, int *out, int n) {
  __requires(n == 128);
  __shared__ int s[32];
  int sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    s[threadIdx.x] = in[i];
    __syncthreads();
    sum += s[31 - threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
