//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//race

// The part of a thread is one element wide, the range is wider.

__global__ void other_range(int *__restrict__ out, const int *__restrict__ in) {
  __shared__ int shift[64];
  unsigned t = threadIdx.x;
  shift[t] = in[t] & 15;
  __syncthreads();
  out[t + shift[63 - t]] = t;
}
