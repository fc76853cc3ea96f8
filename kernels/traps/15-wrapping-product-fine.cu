//pass
//--blockDim=4 --gridDim=64

// With one row fewer the product stays below 2^32.

__global__ void rows(int *out, unsigned w) {
  __requires(w == 67108864u);
  unsigned r = blockIdx.x, c = threadIdx.x;
  if (c < w)
    out[r * w + c] = r;
}
