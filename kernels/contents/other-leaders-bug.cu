//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//race

// The part of a thread is one element wide, what the two store may be more.

__global__ void other_leaders(int *__restrict__ out, const int *__restrict__ in) {
  __shared__ unsigned shift[2];
  unsigned t = threadIdx.x;
  if (t < 2)
    shift[t] = in[t] & 7;
  __syncthreads();
  out[t + shift[t & 1]] = t;
}
