//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//race

// Threads without a place use what the others left.

__global__ void own_compacted(int *__restrict__ out, const int *__restrict__ in,
                              unsigned *__restrict__ count) {
  __shared__ unsigned place[64];
  unsigned t = threadIdx.x;
  place[t] = 0;
  __syncthreads();
  if (in[t] > 0)
    place[t] = atomicAdd(count, 1);
  __syncthreads();
  if (in[t] >= 0)
    out[place[t]] = in[t] + 1;
}
