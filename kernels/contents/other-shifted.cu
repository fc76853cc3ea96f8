//pass
//--blockDim=64 --gridDim=1

// Stored in the cell of the next thread, read from that of the opposite one.

__global__ void other_shifted(int *out) {
  __shared__ unsigned place[64];
  unsigned t = threadIdx.x;
  place[(t + 1) % 64] = t;
  __syncthreads();
  out[place[63 - t]] = t;
}
