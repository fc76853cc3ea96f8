//prove:refuted
//

// A halving reduction loses an element of a block of 3.

//@ requires blockDim.x == 3;
//@ ensures \forall int b; 0 <= b < gridDim.x ==> out[b] == (int)\sum(int k; 0 <= k < 3; in[3 * b + k]);
__global__ void k(int *out, const int *in) {
  __shared__ int s[3];
  s[threadIdx.x] = in[3 * blockIdx.x + threadIdx.x];
  __syncthreads();
  for (int d = blockDim.x / 2; d > 0; d >>= 1) {
    if (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = s[0];
}
