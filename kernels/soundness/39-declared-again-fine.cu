//pass
//--blockDim=64 --gridDim=1

// One array for all rounds.

__global__ void declared_once(int *a, int n, int k) {
  int own[2];
  for (int i = 0; i < n; i++) {
    if (i > 0)
      a[own[k & 1] & 63] = threadIdx.x;
    __syncthreads();
    own[0] = threadIdx.x;
    own[1] = threadIdx.x;
  }
}
