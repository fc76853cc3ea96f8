//pass
//--blockDim=32 --gridDim=2

// A block barrier orders the block's own accesses to global memory.

__global__ void exchange(int *data) {
  int gid = blockIdx.x * blockDim.x + threadIdx.x;
  int partner = blockIdx.x * blockDim.x + (31 - threadIdx.x);
  data[gid] = gid;
  __syncthreads();
  int v = data[partner];
  __syncthreads();
  data[gid] = v + 1;
}
