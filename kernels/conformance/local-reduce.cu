//pass
//--blockDim=64 --gridDim=4

// The CUDA version of local-reduce.cl: the tree as a template over the block's size.

template <unsigned Size> __device__ void tree(unsigned (&s)[Size]) {
  for (unsigned half = Size / 2; half > 0; half >>= 1) {
    __syncthreads();
    if (threadIdx.x < half)
      s[threadIdx.x] += s[threadIdx.x + half];
  }
}

__global__ void local_reduce(unsigned *out, const unsigned *a) {
  __shared__ unsigned s[64];
  s[threadIdx.x] = a[blockIdx.x * 64 + threadIdx.x];
  tree(s);
  if (threadIdx.x == 0)
    out[blockIdx.x] = s[0];
}
