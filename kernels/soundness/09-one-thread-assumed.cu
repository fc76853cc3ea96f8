//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//vacuous

// The precondition can hold for one thread, never for two: nothing is left to compare.

__global__ void one_thread(int *a) {
  __requires(threadIdx.x == 0);
  a[0] = threadIdx.x;
}
