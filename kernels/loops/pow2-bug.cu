//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//race

// From three, threads one and two work on the same element.
__global__ void merge(int *data, unsigned first) {
  __requires(first == 3);
  for (unsigned s = first; s > 0; s >>= 1) {
    unsigned pos = 2 * threadIdx.x - (threadIdx.x & (s - 1));
    if (data[pos] > data[pos + s]) {
      int t = data[pos];
      data[pos] = data[pos + s];
      data[pos + s] = t;
    }
    __syncthreads();
  }
}
