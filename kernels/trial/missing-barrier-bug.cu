//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2
//read-write-race

// Planted bug: a thread reads its mirror's element before it is sure to be there.

__global__ void reverse(int *__restrict__ out, const int *__restrict__ in) {
  __shared__ int tile[64];
  int t = threadIdx.x;
  int first = blockIdx.x * 64;
  tile[t] = in[first + t];
  out[first + t] = tile[63 - t];
}
