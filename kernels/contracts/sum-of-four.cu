//pass
//--blockDim=64 --gridDim=1

// Of a sum that does not wrap no part wraps.

__global__ void k(unsigned *out, unsigned a, unsigned b, unsigned c, unsigned d) {
  __requires(__add_noovfl(a, b, c, d));
  __assert(a + b + c + d >= d & a + c >= a & b + c + d >= c);
  out[threadIdx.x] = a + b + c + d;
}
