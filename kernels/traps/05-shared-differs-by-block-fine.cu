//pass
//--blockDim=32 --gridDim=2

// The cell is chosen by the block alone.

__global__ void parity(int *out) {
  __shared__ int s;
  int tid = threadIdx.x, b = blockIdx.x;
  if (tid == 0)
    s = b & 1;
  __syncthreads();
  if (tid == 1)
    out[b] = s;
}
