//pass
//--blockDim=64 --gridDim=1

// Each thread claims what it wrote itself.

__global__ void k(int *out) {
  __shared__ int a[64];
  unsigned t = threadIdx.x;

  unsigned next = (t + 1) & 63;
  a[t] = 0;
  __barrier_invariant_1(a[threadIdx.x] == 0, next);
  __syncthreads();
  a[t] = 1;
  __barrier_invariant_1(a[threadIdx.x] == 1, next);
  __syncthreads();
  if (!a[next])
    out[0] = t;
}
