//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//invariant-failed

// The invariant reads a cell that thread 0 changes while the others are in the loop.

__global__ void in_invariant(int n) {
  __shared__ int s[64];
  unsigned t = threadIdx.x;
  s[t] = 0;
  __syncthreads();
  if (t == 0)
    s[0] = 1;
  for (int i = 0; __invariant(__implies(t != 0, s[0] == 0)), i < n; i++)
    ;
}
