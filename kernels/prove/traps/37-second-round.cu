//prove:refuted
//

// The sums begin as such, but one iteration of a large block spoils them.

//@ requires \is_pow2(blockDim.x);
//@ ensures \forall int b; 0 <= b < gridDim.x ==>
//@   out[b] == (int)\sum(int k; 0 <= k < blockDim.x; in[b * blockDim.x + k]);
__global__ void reduce(int *out, const int *in) {
  extern __shared__ int s[];
  unsigned t = threadIdx.x;
  s[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (unsigned d = blockDim.x / 2; d > 0; d >>= 1) {
    if (t < d) { s[t] += s[t + d] + (d == 4); }
    __syncthreads();
  }
  if (t == 0) { out[blockIdx.x] = s[0]; }
}
