//pass
//--blockDim=64 --gridDim=1

// The column comes from the input, the place in it from the thread.

__global__ void other_input(int *__restrict__ out, const int *__restrict__ in) {
  __shared__ unsigned place[64];
  unsigned t = threadIdx.x;
  place[t] = 64 * (in[t] & 3) + t;
  __syncthreads();
  out[place[63 - t]] = t;
}
