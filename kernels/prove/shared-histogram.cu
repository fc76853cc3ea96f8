//prove:proved
//

// A histogram by blocks: each counts in shared memory, then adds what it counted.

//@ requires 0 <= n && n + \threads <= INT_MAX && blockDim.x == 256;
//@ ensures \forall int b; 0 <= b < 256 ==>
//@   hist[b] == (unsigned)(\old(hist[b]) + \count(int j; 0 <= j < n; data[j] == b));
__global__ void histogram(unsigned *hist, const unsigned char *data, int n) {
  __shared__ unsigned s[256];
  s[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    atomicAdd(&s[data[i]], 1u);
  }
  __syncthreads();
  atomicAdd(&hist[threadIdx.x], s[threadIdx.x]);
}
