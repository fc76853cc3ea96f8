//pass
//--blockDim=32 --gridDim=4

// Claims about logged accesses, made once for all loops: where a thread writes and reads
// in every one of them. They are checked at every access.

__global__ void rows(int *__restrict__ out, const int *__restrict__ in, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 0; i < n; i++) {
    out[x * 8 + i % 8] += in[i * 128 + x];
    for (int j = 0; j < i; j++)
      out[x * 8] += in[j * 128 + x];
  }
  __function_wide_invariant(
      __write_implies(out, __write_offset_bytes(out) / sizeof(int) / 8 == x));
  __function_wide_invariant(
      __read_implies(in, __read_offset_bytes(in) / sizeof(int) % 32 == threadIdx.x));
  __function_wide_invariant(__no_write(in));
}
