//pass
//--blockDim=64 --gridDim=1

// The inner loop runs at least once.

__global__ void inner(int *a, int n, int m) {
  __requires(n == 4);
  __requires(m == 2);
  int tid = threadIdx.x;
  for (int i = 0; i < n; i++) {
    a[tid + i] = tid;
    for (int j = 0; j < m; j++)
      __syncthreads();
  }
}
