//pass
//--blockDim=64 --gridDim=1

// The places are in global memory.

__global__ void other_global(int *__restrict__ out, unsigned *__restrict__ place) {
  unsigned t = threadIdx.x;
  place[t] = t ^ 21;
  __syncthreads();
  out[place[63 - t]] = t;
}
