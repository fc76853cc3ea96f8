//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1 --no-inline

// The function was verified with two arrays, and is given one.

__device__ void f(int *p, int *q) {
  __writes_to(p);
  __writes_to(q);
  __ensures(p[threadIdx.x] == 1);
  p[threadIdx.x] = 1;
  q[threadIdx.x] = 0;
}

__global__ void aliased(int *out, int *a) {
  f(a, a);
  out[a[threadIdx.x] == 1 ? threadIdx.x : 0] = 1;
}
