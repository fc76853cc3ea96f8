//pass
//--blockDim=64 --gridDim=1

// Halved down to one, never to zero. That p is not zero is said in a way that no
// range tells.
__global__ void halved(int *out, unsigned p) {
  __requires((p & 63) != 0);
  unsigned s = p;
  while (s > 1)
    s >>= 1;
  out[threadIdx.x * s] = threadIdx.x;
}
