//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=1
//invariant-failed

// After the loop `i` is 8, and no write was there. Whoever takes `i` for the counter at
// the time of the write finds the claim true.

__global__ void fill(int *out) {
  int i = 0;
  for (; i < 8; i++)
    out[threadIdx.x * 8 + i] = i;
  __function_wide_invariant(
      __write_implies(out, __write_offset_bytes(out) / sizeof(int) == threadIdx.x * 8 + i));
}
