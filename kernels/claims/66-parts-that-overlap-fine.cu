//pass
//--blockDim=64 --gridDim=1

// Two parts of dynamic shared memory, one behind the other.

__global__ void parts(int *out) {
  extern __shared__ unsigned memory[];
  unsigned *first = memory, *second = memory + 64;
  unsigned t = threadIdx.x;
  first[t] = t;
  if (t < 32)
    second[t] = 0;
  __barrier_invariant_1(first[threadIdx.x] == threadIdx.x, threadIdx.x ^ 1);
  __syncthreads();
  out[first[t ^ 1]] = t;
}
