//xfail:NOT_ALL_VERIFIED
//
//race

// No sizes are given: several blocks have the same threadIdx.

__global__ void increment(int *out) {
  out[threadIdx.x] += 1;
}
