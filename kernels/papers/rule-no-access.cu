//pass
//--blockDim=64 --gridDim=1

// Candidate invariants, r12 and r13: a barrier comes last in each iteration, so nothing is
// pending at the head.

__global__ void rotates(int *out) {
  __shared__ int s[64];
  int sum = 0;
  for (int i = 0; i < 16; i++) {
    s[(threadIdx.x + i) & 63] = i;
    __syncthreads();
    sum += s[(threadIdx.x + 2 * i) & 63];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
