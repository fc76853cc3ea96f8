//pass
//--blockDim=* --gridDim=1

// Launches of at most 32 threads meet the precondition.

__global__ void some_threads(int *a, int n) {
  __requires(threadIdx.x < 32);
  __requires(threadIdx.x * n < 100);
  a[threadIdx.x & 31] = threadIdx.x;
}
