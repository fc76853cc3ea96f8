//pass
//--blockDim=64 --gridDim=2

// The barrier is inside a device function that all threads call.

__device__ int neighbour(int *scratch, int v) {
  scratch[threadIdx.x] = v;
  __syncthreads();
  int result = scratch[(threadIdx.x + 1) % blockDim.x];
  __syncthreads();
  return result;
}

__global__ void twice(int *data) {
  __shared__ int scratch[64];
  int gid = blockIdx.x * blockDim.x + threadIdx.x;
  int v = data[gid];
  v += neighbour(scratch, v);
  v += neighbour(scratch, v);
  data[gid] = v;
}
