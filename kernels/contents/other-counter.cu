//pass
//--blockDim=64 --gridDim=1

// Places from a counter are different, whoever reads which.

__global__ void other_counter(int *__restrict__ out, unsigned *__restrict__ count) {
  __shared__ unsigned place[64];
  unsigned t = threadIdx.x;
  place[t] = atomicAdd(count, 1);
  __syncthreads();
  out[place[63 - t]] = t;
}
