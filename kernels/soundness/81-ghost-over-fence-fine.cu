//pass
//--blockDim=64 --gridDim=1

// The cell is accessed again after the fence.

__global__ void over_fence() {
  __shared__ int s[64];
  unsigned t = threadIdx.x;
  s[t] = t;
  __threadfence_block();
  int v = s[t];
  __unsafe_assert(s[t] == v && v == (int)t);
}
