//pass
//--blockDim=64 --gridDim=1

// The two halves of the block store different kinds of places.

__global__ void other_halves(int *out) {
  __shared__ unsigned place[64];
  unsigned t = threadIdx.x;
  if (t < 32)
    place[t] = 2 * t;
  else
    place[t] = 2 * (t - 32) + 1;
  __syncthreads();
  out[place[63 - t]] = t;
}
