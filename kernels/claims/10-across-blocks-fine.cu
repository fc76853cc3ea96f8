//pass
//--blockDim=64 --gridDim=2

// Each block has its own part of the output.

__global__ void k(int *out) {
  __shared__ int a[64];
  unsigned t = threadIdx.x;

  a[t] = t;
  __barrier_invariant_1(a[threadIdx.x] < 64, threadIdx.x);
  __barrier_invariant_binary_1(__distinct_int(a[threadIdx.x]), threadIdx.x, threadIdx.x ^ 1);
  __syncthreads();
  out[64 * blockIdx.x + a[t]] = t;
}
