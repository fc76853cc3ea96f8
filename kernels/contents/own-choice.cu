//pass
//--blockDim=64 --gridDim=1

// Each thread chooses one of two places of its own, and remembers which.

__global__ void k(int *out, const int *in) {
  __shared__ int a[64];
  int t = threadIdx.x;
  a[t] = 2 * t + (in[t] > 0);
  __syncthreads();
  out[a[t]] = t;
}
