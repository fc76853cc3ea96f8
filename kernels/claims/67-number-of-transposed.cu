//xfail:NOT_ALL_VERIFIED
//--blockDim=[8,8] --gridDim=1

// The number of a thread has x fastest; the listed one has y fastest, so what is claimed there
// is of another thread than the one whose element is read.

__global__ void transposed(int *out) {
  __shared__ unsigned a[8][8];
  unsigned x = threadIdx.x, y = threadIdx.y, number = 8 * y + x;
  a[y][x] = x == y ? 1 : 0;
  __barrier_invariant_1(a[threadIdx.y][threadIdx.x] == (threadIdx.x == threadIdx.y ? 1u : 0u),
                        8 * x + y + 1);
  __syncthreads();
  out[a[x][(y + 1) & 7] == 0 ? number : 0] = number;
}
