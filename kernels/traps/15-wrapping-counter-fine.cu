//pass
//--blockDim=5 --gridDim=1

// With a length that leaves room for the last step nothing wraps.

__global__ void stride(int *a, unsigned n) {
  __requires(n == 500u);
  unsigned gid = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned i = gid; i < n; i += 5)
    a[i] = gid;
}
