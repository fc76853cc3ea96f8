//pass
//--blockDim=64 --gridDim=2

// The array that the annotations read is never written, and the one that is written is read
// where the thread wrote it.

__global__ void other_block(const int *g, int *out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  __non_temporal_loads_begin();
  int v = g[0];
  __non_temporal_loads_end();
  out[i] = v;
  __unsafe_assert(g[0] == v && out[i] == v);
}
