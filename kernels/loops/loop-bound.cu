//pass
//--blockDim=64 --gridDim=1

// Each thread hops through its own 64 elements, by one or two: it never gets below
// its first.
__global__ void hop(int *out) {
  int i = 64 * threadIdx.x;
  int end = i + 64;
  while (i < end) {
    out[i] = threadIdx.x;
    i += 1 + (out[i] & 1);
  }
}
