//xfail:UNPROVEN
//--blockDim=64 --gridDim=1

// Thread 5 writes and returns. No barrier orders its write before what the others read later.
// In a run every write is seen at once, so none shows it.

__global__ void returned() {
  __shared__ int s[64];
  unsigned t = threadIdx.x;
  s[t] = 0;
  __syncthreads();
  if (t == 5) {
    s[9] = 7;
    return;
  }
  __syncthreads();
  __non_temporal_loads_begin();
  int v = s[9];
  __non_temporal_loads_end();
  __unsafe_assert(s[9] == v);
}
