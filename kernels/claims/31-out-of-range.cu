//xfail:UNPROVEN
//--blockDim=64 --gridDim=1
//barrier-invariant-range

// No thread of the block has this number.
// The claim says nothing, and no run shows anything.

__global__ void k(int *out) {
  __shared__ int a[64];
  unsigned t = threadIdx.x;

  a[t] = 0;
  __barrier_invariant_1(a[threadIdx.x] == 0, threadIdx.x + 64);
  __syncthreads();
  out[t] = a[t];
}
