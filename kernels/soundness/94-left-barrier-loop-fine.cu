//pass
//--blockDim=64 --gridDim=1
// Threads return in straight-line code; those that go on take the loop together. Devices
// let them pass: a warning, not an error.

__global__ void staggered(int *to, int n) {
  __shared__ int row[64];
  row[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x >= 48)
    return;
  for (int i = 0; i < n; i++) {
    to[threadIdx.x] += row[63 - threadIdx.x];
    __syncthreads();
  }
}
