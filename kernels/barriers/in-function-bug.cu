//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2
//read-write-race

// The function leaves without the second barrier and is called again.

__device__ int neighbour(int *scratch, int v) {
  scratch[threadIdx.x] = v;
  __syncthreads();
  int result = scratch[(threadIdx.x + 1) % blockDim.x];
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
