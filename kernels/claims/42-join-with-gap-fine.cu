//pass
//--blockDim=64 --gridDim=1

// The two parts make the whole.

__global__ void k(int *out, const int *in) {
  unsigned t = threadIdx.x;
  __assert(__sum_add(in, 0, t) + __sum_add(in, t, 100) == __sum_add(in, 0, 100));
  out[t] = in[t];
}
