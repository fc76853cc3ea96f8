//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//race

// Every thread stored a number below 2.

__global__ void other_branch(int *out) {
  __shared__ unsigned is_odd[64];
  unsigned t = threadIdx.x;
  is_odd[t] = t % 2;
  __syncthreads();
  if (is_odd[(t + 1) % 64] < 2)
    out[t / 2] = t;
}
