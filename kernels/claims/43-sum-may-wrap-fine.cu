//pass
//--blockDim=64 --gridDim=1

// A sum that fits its type is not less than a part of it, and the greatest of more elements
// is not less either.

__global__ void k(unsigned *__restrict__ out, const unsigned *__restrict__ in,
                  const int *__restrict__ more) {
  unsigned t = threadIdx.x;
  __requires(__sum_noovfl(in, 0, 64));
  __assert(__sum_add(in, 0, t) <= __sum_add(in, 0, t + 1));
  __assert(__sum_max(more, 1, t) <= __sum_max(more, 0, t + 1));
  __assert(__sum_min(more, 1, t) >= __sum_min(more, 0, t + 1));
  out[t] = in[t];
}
