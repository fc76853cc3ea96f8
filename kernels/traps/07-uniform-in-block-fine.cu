//pass
//--blockDim=32 --gridDim=2

// x itself tells the blocks apart.

__global__ void per_block(int *out) {
  int b = blockIdx.x;
  int x = 0;
  for (int i = 0; i <= b; i++) {
    x++;
    __syncthreads();
  }
  if (threadIdx.x == 0)
    out[x] = b;
}
