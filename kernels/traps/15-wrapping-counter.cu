//xfail:UNPROVEN
//--blockDim=5 --gridDim=1
//write-write-race

// Close to 2^32 the counter wraps and goes on in another thread's residue class.
// No run gets that far.

__global__ void stride(int *a, unsigned n) {
  __requires(n == 4294967295u);
  unsigned gid = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned i = gid; i < n; i += 5)
    a[i] = gid;
}
