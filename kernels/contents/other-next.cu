//pass
//--blockDim=64 --gridDim=1

// Each thread uses the place of the next one, the last that of the first.

__global__ void other_next(int *out) {
  __shared__ unsigned place[64];
  unsigned t = threadIdx.x;
  place[t] = t;
  __syncthreads();
  out[place[(t + 1) % 64]] = t;
}
