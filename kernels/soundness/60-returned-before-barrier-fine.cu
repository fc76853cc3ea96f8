//pass
//--blockDim=64 --gridDim=1

// Threads that return have touched nothing that others touch after the barrier.

__global__ void returned(int *to, int n) {
  __shared__ int row[64];
  if (threadIdx.x == 0)
    to[64] = n;
  if (threadIdx.x >= n)
    return;
  row[threadIdx.x] = n;
  __syncthreads();
  to[threadIdx.x] = row[n - 1 - threadIdx.x];
}
