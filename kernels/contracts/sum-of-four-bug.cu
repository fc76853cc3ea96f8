//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//assertion-failed

// Three of the four do not wrap together; the fourth may.

__global__ void k(unsigned *out, unsigned a, unsigned b, unsigned c, unsigned d) {
  __requires(__add_noovfl(a, b, c));
  __assert(a + b + c + d >= d);
  out[threadIdx.x] = a + b + c + d;
}
