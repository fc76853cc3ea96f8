//prove:refuted
//

// One element counts twice.
//@ requires 0 <= n && n + \threads <= INT_MAX && 0 < bins;
//@ requires \forall int j; 0 <= j < n ==> 0 <= data[j] < bins;
//@ ensures \forall int b; 0 <= b < bins ==>
//@   hist[b] == (unsigned)(\old(hist[b]) + \count(int j; 0 <= j < n; data[j] == b));
__global__ void histogram(unsigned *hist, const int *data, int n, int bins) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    atomicAdd(&hist[data[i]], 1u + (i == 5));
  }
}
