//pass
//--blockDim=64 --gridDim=1

// Of itself a thread may claim something with its own variables.

__global__ void k(int *out, const int *in) {
  __shared__ int a[64];
  unsigned t = threadIdx.x;

  int v = in[t];
  a[t] = v;
  __barrier_invariant_1(a[threadIdx.x] == v, threadIdx.x);
  __syncthreads();
  out[a[t] == v ? t : 0] = t;
}
