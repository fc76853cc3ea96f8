//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=2
//read-write-race

// A fence is not a barrier.

__global__ void dot(const double *a, const double *b, double *out) {
  __shared__ double products[32];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  products[threadIdx.x] = a[i] * b[i];
  __threadfence_block();
  if (threadIdx.x == 0) {
    double sum = 0;
    for (int k = 0; k < blockDim.x; k++)
      sum += products[k];
    out[blockIdx.x] = sum;
  }
}
