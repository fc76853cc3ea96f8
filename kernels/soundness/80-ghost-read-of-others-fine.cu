//pass
//--blockDim=64 --gridDim=1

// Each thread's annotation reads a cell that it accessed itself since the barrier: nobody else
// can have changed it without a race.

__global__ void own() {
  __shared__ int s[64];
  unsigned t = threadIdx.x;
  s[t] = 0;
  __syncthreads();
  int v = s[t];
  if (t == 0)
    s[0] = v + 1;
  __unsafe_assert(__implies(t != 0, s[t] == v));
  __unsafe_assert(__implies(t == 0, s[0] == v + 1));
}
