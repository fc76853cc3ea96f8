//pass
//--blockDim=64 --gridDim=1

// What is read back is in its range, so the accesses of two halves don't meet.

__global__ void own_range(int *out, const unsigned *in) {
  __shared__ unsigned bin[64];
  unsigned t = threadIdx.x;
  bin[t] = in[t] % 8;
  __syncthreads();
  out[8 * t + bin[t]] = t;
}
