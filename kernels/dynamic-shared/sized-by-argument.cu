//pass
//--blockDim=16 --gridDim=2

// The number of rows is an argument.

__global__ void columns(const int *in, int *out, int rows) {
  __requires(rows == 6);
  extern __shared__ int tile[];
  int t = threadIdx.x;
  for (int r = 0; r < rows; r++)
    tile[r * blockDim.x + t] = in[(blockIdx.x * rows + r) * blockDim.x + t];
  __syncthreads();
  if (t < rows) {
    int sum = 0;
    for (int c = 0; c < blockDim.x; c++)
      sum += tile[t * blockDim.x + c];
    out[blockIdx.x * rows + t] = sum;
  }
}
