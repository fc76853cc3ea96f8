//xfail:NOT_ALL_VERIFIED
//--blockDim=4 --gridDim=65
//write-write-race

// Row 64 starts again at zero: the product of two unsigned numbers wraps.

__global__ void rows(int *out, unsigned w) {
  __requires(w == 67108864u);
  unsigned r = blockIdx.x, c = threadIdx.x;
  if (c < w)
    out[r * w + c] = r;
}
