//xfail:UNPROVEN
//--blockDim=64 --gridDim=1

// Two operators with one identity are two functions. No run knows what they yield.

__operator(join, int, 0, __associative);
__operator(meet, int, 0, __associative);

__global__ void k(int *__restrict__ out, const int *__restrict__ in) {
  unsigned t = threadIdx.x;
  __assert(__sum_join(in, 0, t) == __sum_meet(in, 0, t));
  out[t] = in[t];
}
