//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//race

// Some threads read the place of the same one.

__global__ void other_counter(int *__restrict__ out, unsigned *__restrict__ count) {
  __shared__ unsigned place[64];
  unsigned t = threadIdx.x;
  place[t] = atomicAdd(count, 1);
  __syncthreads();
  out[place[t < 3 ? 2 : 63 - t]] = t;
}
