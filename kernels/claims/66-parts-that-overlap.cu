//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1

// Two parts of dynamic shared memory overlap: a store to the second changes the first, of
// which the claim was made.

__global__ void parts(int *out) {
  extern __shared__ unsigned memory[];
  unsigned *first = memory, *second = memory + 32;
  unsigned t = threadIdx.x;
  first[t] = t;
  __barrier_invariant_1(first[threadIdx.x] == threadIdx.x, threadIdx.x);
  __syncthreads();
  if (t < 32)
    second[t] = 0;
  __syncthreads();
  out[first[t]] = t;
}
