//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//write-write-race

// Halved once more: all write to one place.
__global__ void halved(int *out, unsigned p) {
  __requires((p & 63) != 0);
  unsigned s = p;
  while (s > 0)
    s >>= 1;
  out[threadIdx.x * s] = threadIdx.x;
}
