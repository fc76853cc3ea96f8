//pass
//--blockDim=64 --gridDim=1

// The loop ends before.
__global__ void late(int *a, int step, long long n) {
  __requires(n <= 1ll << 32);
  int i = threadIdx.x;
  for (long long j = 0; j < n; j++) {
    if (j >> 32)
      a[0] = threadIdx.x;
    i += step;
  }
  a[1 + threadIdx.x] = i;
}
