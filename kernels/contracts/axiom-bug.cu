//xfail:UNPROVEN
//--blockDim=64 --gridDim=1

// The axiom says nothing about the operands exchanged; runs do not know what the function yields.

DECLARE_UF_BINARY(A, unsigned, unsigned, unsigned)
__axiom(A(1u, 2u) == 3u);
__global__ void k(unsigned *out) {
  __assert(A(2u, 1u) == 3u);
  out[threadIdx.x] = A(threadIdx.x, 1u);
}
