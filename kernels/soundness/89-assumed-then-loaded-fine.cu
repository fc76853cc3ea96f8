//pass
//--blockDim=64 --gridDim=1

// An assumption about a cell that the thread then loads: without a race it has not changed.

__global__ void assumed(int *index, int *out) {
  unsigned t = threadIdx.x;
  __assume(index[t] == (int)t);
  int at = index[t];
  index[t] = 0;
  out[at] = t;
}
