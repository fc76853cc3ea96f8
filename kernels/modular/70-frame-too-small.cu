//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1 --no-inline

// The function writes more than its contract says.

__device__ void f(int *p, int *q) {
  __writes_to(p);
  __ensures(true);
  p[threadIdx.x] = 1;
  q[threadIdx.x] = 2;
}

__global__ void frame(int *out, int *a, int *b) {
  unsigned t = threadIdx.x;
  b[t] = 7;
  f(a, b);
  out[b[t] == 7 ? t : 0] = t;
}
