//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//race

// A factor that has a common divisor with the number of places is no permutation.

__global__ void other_permuted(int *out) {
  __shared__ unsigned place[64];
  unsigned t = threadIdx.x;
  place[t] = (4 * t + 3) % 64;
  __syncthreads();
  out[place[t ^ 7]] = t;
}
