//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1

// The sum of the words fits their type; that of the bytes may wrap all the same.

__global__ void k(unsigned *__restrict__ out, const unsigned *__restrict__ in) {
  unsigned t = threadIdx.x;
  __requires(__sum_noovfl(in, 0, 64));
  __assert(__sum_add((const unsigned char *)in, 0, t) <= __sum_add((const unsigned char *)in, 0, t + 1));
  out[t] = in[t];
}
