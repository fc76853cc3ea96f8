//prove:unproven
//

// A barrier on one way only: on the other the counters are changed in the same piece. No run
// tries the argument.

//@ requires 0 <= n && n + \threads <= INT_MAX && blockDim.x == 256;
//@ ensures \forall int b; 0 <= b < 256 ==>
//@   hist[b] == (unsigned)(\old(hist[b]) + \count(int j; 0 <= j < n; data[j] == b));
__global__ void histogram(unsigned *__restrict__ hist, const unsigned char *__restrict__ data,
                          int n, int m) {
  __shared__ unsigned s[256];
  int t = threadIdx.x;
  s[t] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    atomicAdd(&s[data[i]], 1u);
  }
  __syncthreads();
  if (m != 123456789) { __syncthreads(); } else { s[t] = 100; }
  atomicAdd(&hist[t], s[t]);
}
