//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1

// The second byte of an array is not its second word.

__global__ void k(unsigned *__restrict__ out, const unsigned *__restrict__ in) {
  unsigned t = threadIdx.x;
  __assert(__sum_add(in, 0, 2) == __sum_add(in, 0, 1) + __sum_add((const unsigned char *)in, 1, 2));
  out[t] = in[t];
}
