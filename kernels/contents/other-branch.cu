//pass
//--blockDim=64 --gridDim=1

// Only threads whose neighbour stored a 1 write, and of two threads one does.

__global__ void other_branch(int *out) {
  __shared__ unsigned is_odd[64];
  unsigned t = threadIdx.x;
  is_odd[t] = t % 2;
  __syncthreads();
  if (is_odd[(t + 1) % 64])
    out[t / 2] = t;
}
