//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//race

// Two places of the counter share a cell.

__global__ void own_counter(int *__restrict__ out, unsigned *__restrict__ count) {
  __shared__ unsigned place[64];
  unsigned t = threadIdx.x;
  place[t] = atomicAdd(count, 1);
  __syncthreads();
  out[place[t] / 2] = t;
}
