//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1

// An element is looked for that did not go into the sum: its bit of the number is not set.

#define PART(j) __ite((threadIdx.x >> (j) & 1) != 0, in[threadIdx.x + 64 * (j)], 0u)

__global__ void gather(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[64];
  unsigned t = threadIdx.x;
  unsigned v = 0;
  if (t & 1)
    v = __add_noovfl_unsigned_int(v, in[t]);
  if (t & 2)
    v = __add_noovfl_unsigned_int(v, in[t + 64]);
  if (t & 4)
    v = __add_noovfl_unsigned_int(v, in[t + 128]);
  if (t & 8)
    v = __add_noovfl_unsigned_int(v, in[t + 192]);
  if (t & 16)
    v = __add_noovfl_unsigned_int(v, in[t + 256]);
  if (t & 32)
    v = __add_noovfl_unsigned_int(v, in[t + 320]);
  s[t] = v;
  __barrier_invariant_1(
      s[threadIdx.x] == PART(5) + PART(4) + PART(3) + PART(2) + PART(1) + PART(0) &
          __add_noovfl(PART(5), PART(4), PART(3), PART(2), PART(1), PART(0)),
      t ^ 1);
  __syncthreads();
  unsigned w = s[t ^ 1];
  __assert(__implies((t & 8) == 0, w >= in[(t ^ 1) + 192]));
  out[t] = w;
}
