//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=4
//read-write-race

// Reads the neighbour's element of y while the neighbour updates it.

__global__ void saxpy(int n, float a, const float *x, float *y) {
  __requires(n == 200);
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = a * x[i] + y[i + 1];
}
