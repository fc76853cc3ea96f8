//pass
//--blockDim=32 --gridDim=2

// Each thread of the lower half swaps one pair of elements.

__global__ void reverse(int *a, int n) {
  __requires(n == 100);
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / 2) {
    int other = n - 1 - i;
    int t = a[i];
    a[i] = a[other];
    a[other] = t;
  }
}
