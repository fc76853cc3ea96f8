//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//race

// In each round it is another array, too large to be split into variables.

__global__ void declared_again(int *a, int n, int k) {
  for (int i = 0; i < n; i++) {
    int own[100];
    if (i > 0)
      a[own[k & 1] & 63] = threadIdx.x;
    __syncthreads();
    own[0] = threadIdx.x;
    own[1] = threadIdx.x;
  }
}
