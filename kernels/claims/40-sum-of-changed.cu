//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1

// The sum is of an array that the kernel changes: it is another sum later.

__global__ void k(int *out) {
  __shared__ int a[64];
  unsigned t = threadIdx.x;

  a[t] = __sum_add(out, 0, 4);
  __barrier_invariant_1(a[threadIdx.x] == __sum_add(out, 0, 4), threadIdx.x ^ 1);
  __syncthreads();
  out[t] = a[t ^ 1];
  __assert(a[t ^ 1] == __sum_add(out, 0, 4));
}
