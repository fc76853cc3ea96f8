//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=2
//write-write-race

// Each block has its own copy of s, with another value.

__global__ void parity(int *out) {
  __shared__ int s;
  int tid = threadIdx.x, b = blockIdx.x;
  if (tid == 0)
    s = b & 1;
  __syncthreads();
  if (tid == 1)
    out[s ^ (b & 1)] = b;
}
