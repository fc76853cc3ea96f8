//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//race

// Two threads use the place of the same third one.

__global__ void other_next(int *out) {
  __shared__ unsigned place[64];
  unsigned t = threadIdx.x;
  place[t] = t;
  __syncthreads();
  out[place[(t | 1) % 64]] = t;
}
