//pass
//--blockDim=64 --gridDim=1

// Compaction: only threads that keep their element have a place.

__global__ void own_compacted(int *__restrict__ out, const int *__restrict__ in,
                              unsigned *__restrict__ count) {
  __shared__ unsigned place[64];
  unsigned t = threadIdx.x;
  if (in[t] > 0)
    place[t] = atomicAdd(count, 1);
  __syncthreads();
  if (in[t] > 0)
    out[place[t]] = in[t];
}
