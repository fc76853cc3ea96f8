//pass
//--blockDim=64 --gridDim=1

// Kogge-Stone over what shared memory held at the start: the sums are those of the snapshot.

__global__ void in_place(int *out, const int *in) {
  __shared__ int s[64];
  __shared__ int first[64];
  unsigned t = threadIdx.x;
  s[t] = 3 * in[t];
  __syncthreads();
  __array_snapshot(first, s);
  for (unsigned off = 1; off < blockDim.x; off *= 2) {
    __barrier_invariant_1(
        s[threadIdx.x] == __sum_add(first, __ite(threadIdx.x + 1 > off, threadIdx.x + 1 - off, 0u), threadIdx.x + 1),
        threadIdx.x - off);
    __syncthreads();
    int v = s[t];
    if (t >= off)
      v += s[t - off];
    __syncthreads();
    s[t] = v;
  }
  out[t] = s[t];
}
