//pass
//--blockDim=64 --gridDim=1

// Thread 5 writes and stays for the barrier, which orders its write.

__global__ void stays() {
  __shared__ int s[64];
  unsigned t = threadIdx.x;
  s[t] = 0;
  __syncthreads();
  if (t == 5)
    s[9] = 7;
  __syncthreads();
  __non_temporal_loads_begin();
  int v = s[9];
  __non_temporal_loads_end();
  __unsafe_assert(s[9] == v);
}
