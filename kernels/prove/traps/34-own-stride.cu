//prove:refuted
//

// The stride is another one in each thread.

//@ requires gridDim.x == 1;
//@ ensures \forall int j; 0 <= j < blockDim.x ==> out[j] == (int)\sum(int k; 0 <= k < j + 1; in[k]);
__global__ void scan(int *out, const int *in) {
  extern __shared__ int s[];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  int own = 1 + t % 2;
  for (int d = 1; d < blockDim.x; d *= 2, own *= 2) {
    int v = 0;
    if (t >= own) { v = s[t - own]; }
    __syncthreads();
    s[t] += v;
    __syncthreads();
  }
  out[t] = s[t];
}
