//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1

// An element is read for annotations while another thread changes it.

__global__ void k(int *out) {
  __shared__ int a[64];
  unsigned t = threadIdx.x;

  a[t] = 0;
  __cell_invariant(a, k, k >= 64 | a[k] == 0);
  __syncthreads();
  if (t == 1) {
    a[0] = 1;
  } else {
    __non_temporal_loads_begin();
    int v = a[0];
    __non_temporal_loads_end();
    out[v ? 0 : t] = t;
  }
}
