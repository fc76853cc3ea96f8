//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1

// That the bytes of an array have a sum below 256 says nothing of the sum of its words.

__global__ void k(unsigned *__restrict__ out, const unsigned *__restrict__ in) {
  unsigned t = threadIdx.x;
  __requires(__sum_noovfl((const unsigned char *)in, 0, 64));
  __assert(__sum_add(in, 0, t) <= __sum_add(in, 0, t + 1));
  out[t] = in[t];
}
