//xfail:UNPROVEN
//--blockDim=64 --gridDim=2

// Another block writes the array of which a snapshot was taken: that nobody of this block
// does so says nothing. Runs take no snapshots, so they show nothing of it.

__global__ void snapshot(int *g, int *h) {
  unsigned t = threadIdx.x;
  __syncthreads();
  __array_snapshot(h, g);
  __syncthreads();
  __barrier_invariant_1(blockIdx.x != 0 | g[threadIdx.x] == h[threadIdx.x], threadIdx.x);
  __syncthreads();
  if (blockIdx.x)
    g[t] = 5;
}
