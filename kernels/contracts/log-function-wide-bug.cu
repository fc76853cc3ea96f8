//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=4
//invariant-failed

// The claim about writes forgets the block: it is false from the second block on. Nothing
// rests on it, but a false claim is a finding.

__global__ void rows(int *__restrict__ out, const int *__restrict__ in, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 0; i < n; i++)
    out[x] += in[x];
  __function_wide_invariant(
      __write_implies(out, __write_offset_bytes(out) / sizeof(int) == threadIdx.x));
}
