//pass
//--blockDim=64 --gridDim=1

// Two threads store what all use.

__global__ void other_leaders(int *__restrict__ out, const int *__restrict__ in) {
  __shared__ unsigned shift[2];
  unsigned t = threadIdx.x;
  if (t < 2)
    shift[t] = in[t] & 7;
  __syncthreads();
  out[8 * t + shift[t & 1]] = t;
}
