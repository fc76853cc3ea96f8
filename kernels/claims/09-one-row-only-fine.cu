//pass
//--blockDim=64 --gridDim=1

// Every two threads of the block have different values.

__global__ void k(int *out) {
  __shared__ int a[64];
  unsigned t = threadIdx.x;

  __syncwarp();
  a[t] = t ^ 5;
  __barrier_invariant_binary_1(__distinct_int(a[threadIdx.x]), threadIdx.x, threadIdx.x ^ 1);
  __syncthreads();
  out[a[t]] = t;
}
