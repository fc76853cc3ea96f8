//pass
//--blockDim=64 --gridDim=1

// A place from a counter, stored over a barrier.

__global__ void own_counter(int *out) {
  __shared__ unsigned count;
  __shared__ unsigned place[64];
  unsigned t = threadIdx.x;
  if (t == 0)
    count = 0;
  __syncthreads();
  place[t] = atomicAdd(&count, 1);
  __syncthreads();
  out[place[t]] = t;
}
