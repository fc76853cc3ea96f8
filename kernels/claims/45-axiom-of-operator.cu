//xfail:UNPROVEN
//--blockDim=64 --gridDim=1
//not-modelled

// No associative operator is like this: what is declared and what is assumed contradict
// each other, though each by itself can be met.

__operator(op, int, 0, __associative);
__axiom(op(1, 2) == 3);
__axiom(op(3, 3) == 4);
__axiom(op(2, 3) == 5);
__axiom(op(1, 5) == 6);

__global__ void k(int *__restrict__ out, const int *__restrict__ in) {
  unsigned t = threadIdx.x;
  __assert(__sum_op(in, t, t) == 1);
  out[t] = in[t];
}
