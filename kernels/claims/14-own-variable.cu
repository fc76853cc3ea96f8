//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1

// A variable of the thread has another value in the other thread.

__global__ void k(int *out, const int *in) {
  __shared__ int a[64];
  unsigned t = threadIdx.x;

  unsigned next = (t + 1) & 63;
  int v = in[t];
  a[t] = v;
  __barrier_invariant_1(a[threadIdx.x] == v, next);
  __syncthreads();
  out[a[next] == v ? t : 0] = t;
}
