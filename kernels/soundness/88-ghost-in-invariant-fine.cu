//pass
//--blockDim=64 --gridDim=1

// The same as an assertion in the loop, over the cell that the thread itself accessed.

__global__ void in_loop(int n) {
  __shared__ int s[64];
  unsigned t = threadIdx.x;
  s[t] = 0;
  __syncthreads();
  int v = s[t];
  for (int i = 0; i < n; i++)
    __unsafe_assert(s[t] == v);
}
