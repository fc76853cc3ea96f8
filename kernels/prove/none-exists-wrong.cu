//prove:refuted
//

// The last element is not written.
//@ requires 0 < n <= \threads;
//@ ensures !(\exists int j; 0 <= j < n && o[j] != j % 2);
__global__ void parity(int *o, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n - 1) {
    o[i] = i & 1;
  }
}
