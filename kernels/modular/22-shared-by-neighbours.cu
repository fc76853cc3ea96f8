//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1

// The two pointers are into one array, so what is ensured of an element for one thread
// contradicts what is ensured of it for its neighbour.

__device__ void __spec_fill(unsigned *p, unsigned *q) {
  unsigned t = threadIdx.x;
  __writes_to(p);
  __writes_to(q);
  __syncthreads();
  __ensures(p[t] == t);
  __ensures(q[t] == 0);
}

__global__ void neighbours(int *out) {
  __shared__ unsigned a[128];
  unsigned t = threadIdx.x;
  __spec_fill(a, a + 1);
  out[a[t]] = t;
}
