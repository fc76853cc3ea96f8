//pass
//--blockDim=64 --gridDim=4

// Old names: offsets in elements, of an array of two dimensions in its numbers.

__global__ void shift(float *out, int n) {
  __shared__ int s[4][64];
  s[0][threadIdx.x] = 0;
  for (int i = 0; i < n; i++) {
    s[i % 4][threadIdx.x] = i;
    out[blockIdx.x * 64 + threadIdx.x] += s[i % 4][threadIdx.x];
  }
  __function_wide_invariant(__write_implies(s, __write_offset(s) % 64 == threadIdx.x));
  __function_wide_invariant(__read_implies(out, __read_offset(out) / 64 == blockIdx.x));
  __assert(__ptr_offset(out + 3) == 3);
}
