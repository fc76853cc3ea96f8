//prove:refuted
//

// Inclusive sums of one block with a stride that grows too fast.

//@ requires gridDim.x == 1;
//@ ensures \forall int j; 0 <= j < blockDim.x ==> out[j] == (int)\sum(int k; 0 <= k < j + 1; in[k]);
__global__ void scan(int *out, const int *in) {
  extern __shared__ int s[];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  for (int d = 1; d < blockDim.x; d *= 4) {
    int v = 0;
    if (t >= d) { v = s[t - d]; }
    __syncthreads();
    s[t] += v;
    __syncthreads();
  }
  out[t] = s[t];
}
