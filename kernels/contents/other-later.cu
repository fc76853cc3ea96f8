//pass
//--blockDim=64 --gridDim=1

// The places are read an interval later; nobody writes them meanwhile.

__global__ void other_later(int *out) {
  __shared__ unsigned place[64];
  __shared__ unsigned more[64];
  unsigned t = threadIdx.x;
  place[t] = t;
  __syncthreads();
  more[t] = 1;
  __syncthreads();
  out[place[63 - t] + 64 * more[t]] = t;
}
