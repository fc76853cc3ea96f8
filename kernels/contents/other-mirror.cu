//pass
//--blockDim=64 --gridDim=1

// Each thread uses the place that the thread opposite stored.

__global__ void other_mirror(int *out) {
  __shared__ unsigned place[64];
  unsigned t = threadIdx.x;
  place[t] = t;
  __syncthreads();
  out[place[63 - t]] = t;
}
