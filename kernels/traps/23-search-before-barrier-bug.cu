//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=1
//barrier-divergence

// The barrier is inside the search.

__global__ void search(const int *a, int n, int key, int *out) {
  __requires(n == 200);
  __shared__ int where[32];
  int i;
  for (i = threadIdx.x; i < n; i += 32) {
    if (a[i] == key)
      break;
    __syncthreads();
  }
  where[threadIdx.x] = i;
  __syncthreads();
  out[threadIdx.x] = where[31 - threadIdx.x];
}
