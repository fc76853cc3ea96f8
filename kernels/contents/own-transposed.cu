//pass
//--blockDim=[8,8] --gridDim=1

// In two dimensions: the place of the thread with the ids exchanged.

__global__ void k(int *out) {
  __shared__ int a[64];
  int f = threadIdx.x + 8 * threadIdx.y;
  a[f] = threadIdx.y + 8 * threadIdx.x;
  __syncthreads();
  out[a[f]] = f;
}
