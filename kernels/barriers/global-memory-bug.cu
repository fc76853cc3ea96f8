//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=2
//read-write-race

// The partner is in the other block, which the barrier does not wait for.

__global__ void exchange(int *data) {
  int gid = blockIdx.x * blockDim.x + threadIdx.x;
  int partner = 63 - gid;
  data[gid] = gid;
  __syncthreads();
  int v = data[partner];
  __syncthreads();
  data[gid] = v + 1;
}
