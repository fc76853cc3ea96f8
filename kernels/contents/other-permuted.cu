//pass
//--blockDim=64 --gridDim=1

// A permutation, read by yet another one.

__global__ void other_permuted(int *out) {
  __shared__ unsigned place[64];
  unsigned t = threadIdx.x;
  place[t] = (5 * t + 3) % 64;
  __syncthreads();
  out[place[t ^ 7]] = t;
}
