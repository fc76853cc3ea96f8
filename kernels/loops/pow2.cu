//pass
//--blockDim=64 --gridDim=1

// A merge from a power of two that nobody gives: thread t works on the t-th element
// whose bit s is clear, and on its partner.
__global__ void merge(int *data, unsigned first) {
  __requires((first & (first - 1)) == 0);
  __requires(first <= 64);
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
