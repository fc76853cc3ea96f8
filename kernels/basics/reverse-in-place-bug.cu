//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=2
//race

// Every pair is swapped twice, once from each end.

__global__ void reverse(int *a, int n) {
  __requires(n == 100);
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int other = n - 1 - i;
    int t = a[i];
    a[i] = a[other];
    a[other] = t;
  }
}
