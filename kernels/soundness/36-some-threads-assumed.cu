//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//vacuous

// Two threads can meet the precondition, all 64 cannot.

__global__ void some_threads(int *a) {
  __requires(threadIdx.x < 32);
  a[threadIdx.x & 31] = threadIdx.x;
}
