//pass
//--blockDim=64 --gridDim=1

// Of no elements and of one the two agree.

__operator(join, int, 0, __associative);
__operator(meet, int, 0, __associative);

__global__ void k(int *__restrict__ out, const int *__restrict__ in) {
  unsigned t = threadIdx.x;
  __assert(__sum_join(in, t, t) == __sum_meet(in, t, t));
  __assert(__sum_join(in, t, t + 1) == __sum_meet(in, t, t + 1));
  out[t] = in[t];
}
