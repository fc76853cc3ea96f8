//pass
//--blockDim=32 --gridDim=1

// Candidate invariants, r15: a power of two that is halved as long as something is left is
// not zero.

__global__ void not_zero(int *out) {
  __shared__ int s[1024];
  int d = 32;
  do {
    s[threadIdx.x * d] = threadIdx.x;
    __syncthreads();
    d >>= 1;
  } while (d > 0);
  out[threadIdx.x] = s[threadIdx.x];
}
