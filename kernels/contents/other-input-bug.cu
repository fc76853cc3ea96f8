//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//race

// Two threads have the same place in a column.

__global__ void other_input(int *__restrict__ out, const int *__restrict__ in) {
  __shared__ unsigned place[64];
  unsigned t = threadIdx.x;
  place[t] = 64 * (in[t] & 3) + t / 2;
  __syncthreads();
  out[place[63 - t]] = t;
}
