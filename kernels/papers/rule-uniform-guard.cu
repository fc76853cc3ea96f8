//pass
//--blockDim=16 --gridDim=1

// Candidate invariants, r7: the counter minus its first value is the same for all threads.

__global__ void uniform_guard(const int *in, int *out) {
  __shared__ int s[16];
  int sum = 0;
  for (int i = threadIdx.x; i < 64 + threadIdx.x; i += 16) {
    s[threadIdx.x] = in[i];
    __syncthreads();
    sum += s[15 - threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
