//pass
//--blockDim=64 --gridDim=1

// A barrier invariant keeps the distinctness of shared data over the barrier.

__global__ void scatter(int *out) {
  __shared__ int a[64];
  a[threadIdx.x] = 63 - threadIdx.x;
  __barrier_invariant_1(a[threadIdx.x] == 63 - threadIdx.x, threadIdx.x);
  __syncthreads();
  out[a[threadIdx.x]] = threadIdx.x;
}
