//pass
//--blockDim=64 --gridDim=1

// Candidate invariants, r16: a variable is the same in all threads, although it is computed
// from their numbers.

__global__ void equal_variable(int *out) {
  __shared__ int s[128];
  int base = threadIdx.x / 64;
  for (int k = 0; k < 4; k++) {
    s[threadIdx.x + base] = threadIdx.x;
    __syncthreads();
    base += 2;
  }
  out[threadIdx.x] = s[threadIdx.x];
}
