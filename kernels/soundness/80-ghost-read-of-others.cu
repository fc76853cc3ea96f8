//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//assertion-failed

// Thread 0 changes the cell that the other threads' annotation reads: an unlogged read is no
// access, so what a thread saw there before proves nothing.

__global__ void others() {
  __shared__ int s[64];
  unsigned t = threadIdx.x;
  s[t] = 0;
  __syncthreads();
  __non_temporal_loads_begin();
  int v = s[0];
  __non_temporal_loads_end();
  if (t == 0)
    s[0] = v + 1;
  __unsafe_assert(__implies(t != 0, s[0] == v));
}
