//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2
//read-write-race

// The barrier at the end of the loop is missing: the read is still logged at the head, and
// races with the write of the next iteration.

__global__ void steps(int *out) {
  __shared__ int s[64];
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 0; __invariant(__no_write(s)), __invariant(__no_read(s)), i < 10; i++) {
    s[threadIdx.x] = i;
    __syncthreads();
    out[i * 128 + x] = s[63 - threadIdx.x];
  }
}
