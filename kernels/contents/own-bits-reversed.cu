//pass
//--blockDim=64 --gridDim=1

// The places are the ids with their six bits reversed.

__global__ void own_bits(int *out) {
  __shared__ unsigned place[64];
  unsigned t = threadIdx.x;
  place[t] = __brev(t) >> 26;
  __syncthreads();
  out[place[t]] = t;
}
