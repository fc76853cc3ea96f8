//pass
//--blockDim=64 --gridDim=4

// Seven-point stencil; each block stages its elements and a halo in shared memory.

#define RADIUS 3
#define BLOCK 64

__global__ void stencil(const int *in, int *out) {
  __shared__ int tile[BLOCK + 2 * RADIUS];
  int gid = blockIdx.x * blockDim.x + threadIdx.x;
  int lid = threadIdx.x + RADIUS;

  tile[lid] = in[gid + RADIUS];
  if (threadIdx.x < RADIUS) {
    tile[lid - RADIUS] = in[gid];
    tile[lid + BLOCK] = in[gid + BLOCK + RADIUS];
  }
  __syncthreads();

  int sum = 0;
  for (int offset = -RADIUS; offset <= RADIUS; offset++)
    sum += tile[lid + offset];
  out[gid] = sum;
}
