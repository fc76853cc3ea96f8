//pass
//--blockDim=64 --gridDim=1

// Whatever the other thread stored, it stays within the part of this one.

__global__ void other_range(int *__restrict__ out, const int *__restrict__ in) {
  __shared__ int shift[64];
  unsigned t = threadIdx.x;
  shift[t] = in[t] & 15;
  __syncthreads();
  out[16 * t + shift[63 - t]] = t;
}
