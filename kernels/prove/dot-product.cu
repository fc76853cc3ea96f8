//prove:proved
//

// The products of a block are added up by a tree.

//@ requires \is_pow2(blockDim.x);
//@ ensures \forall int b; 0 <= b < gridDim.x ==>
//@   out[b] == (int)\sum(int k; 0 <= k < blockDim.x; x[b * blockDim.x + k] * y[b * blockDim.x + k]);
__global__ void dot(int *out, const int *x, const int *y) {
  extern __shared__ int s[];
  unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = x[i] * y[i];
  __syncthreads();
  for (unsigned d = blockDim.x / 2; d > 0; d >>= 1) {
    if (t < d) { s[t] += s[t + d]; }
    __syncthreads();
  }
  if (t == 0) { out[blockIdx.x] = s[0]; }
}
