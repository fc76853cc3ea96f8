//pass
//--blockDim=64 --gridDim=1 --no-inline

// A function with barriers, verified by itself; its caller knows what it leaves in memory.

__device__ void fill(unsigned *p) {
  unsigned t = threadIdx.x;
  __writes_to(p);
  __ensures(p[t] == t + 1);
  p[t] = 0;
  __syncthreads();
  p[t] = t + 1;
  __syncthreads();
}

__global__ void rotate(int *out, unsigned *a) {
  unsigned t = threadIdx.x;
  fill(a);
  out[a[t] - 1] = t;
}
