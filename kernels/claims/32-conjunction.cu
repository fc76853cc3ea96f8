//pass
//--blockDim=64 --gridDim=1

// A claim may be made of several parts.

__global__ void k(int *out) {
  __shared__ int a[64];
  unsigned t = threadIdx.x;

  a[t] = 2 * t;
  __barrier_invariant_1(a[threadIdx.x] >= 0 && a[threadIdx.x] == 2 * threadIdx.x, 63 - threadIdx.x);
  __syncthreads();
  out[a[63 - t]] = t;
}
