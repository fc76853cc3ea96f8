//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1

// What is assumed of a cell at one moment says nothing of the moment before the launch: thread 0
// writes it in between.

__global__ void assumed(int *g, int *out) {
  __requires(g[0] == 0);
  unsigned t = threadIdx.x;
  if (t == 0) {
    g[0] = 1;
  } else {
    __assume(g[0] == 1);
    __assert(t > 64);
  }
  out[t] = t;
}
