//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//assertion-failed

// A fence between the two reads of the annotation orders nothing by itself: thread 0 may write
// before or after it.

__global__ void over_fence() {
  __shared__ int s[64];
  unsigned t = threadIdx.x;
  s[t] = 0;
  __syncthreads();
  __non_temporal_loads_begin();
  int v = s[0];
  __non_temporal_loads_end();
  __threadfence_block();
  if (t == 0)
    s[0] = v + 1;
  __unsafe_assert(__implies(t != 0, s[0] == v));
}
