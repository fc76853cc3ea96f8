//pass
//--blockDim=32 --gridDim=2

// Products are summed by the first thread of the block.

__global__ void dot(const double *a, const double *b, double *out) {
  __shared__ double products[32];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  products[threadIdx.x] = a[i] * b[i];
  __syncthreads();
  if (threadIdx.x == 0) {
    double sum = 0;
    for (int k = 0; k < blockDim.x; k++)
      sum += products[k];
    out[blockIdx.x] = sum;
  }
}
