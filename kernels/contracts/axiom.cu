//pass
//--blockDim=64 --gridDim=1

// An axiom about a function of which nothing else is known.

DECLARE_UF_BINARY(A, unsigned, unsigned, unsigned)
__axiom(A(1u, 2u) == 3u);
__global__ void k(unsigned *out) {
  __assert(A(1u, 2u) == 3u);
  out[threadIdx.x] = A(threadIdx.x, 1u);
}
