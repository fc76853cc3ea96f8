//pass
//--blockDim=64 --gridDim=1 --vacuity

// Every access can be reached under what is assumed; the last one is dead code
// whatever is assumed, and that is no defect.

__global__ void assumed(int *a, int n) {
  __requires(n > 4);
  if (n > 8) {
    __assume(n < 16);
    a[threadIdx.x] = n;
    __syncthreads();
    a[63 - threadIdx.x] += 1;
  }
  if (threadIdx.x > 100)
    a[0] = threadIdx.x;
}
