//pass
//--blockDim=64 --gridDim=1

// A place from a counter, stored over a barrier.

__global__ void own_counter(int *__restrict__ out, unsigned *__restrict__ count) {
  __shared__ unsigned place[64];
  unsigned t = threadIdx.x;
  place[t] = atomicAdd(count, 1);
  __syncthreads();
  out[place[t]] = t;
}
