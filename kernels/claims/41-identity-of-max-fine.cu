//pass
//--blockDim=64 --gridDim=1

// The greatest of one number is the number, and of no unsigned numbers 0.

__global__ void k(int *out, const int *in, const unsigned *un) {
  unsigned t = threadIdx.x;
  __assert(__sum_max(in, t, t + 1) == in[t]);
  __assert(__sum_max(un, t, t) == 0);
  out[t] = in[t];
}
