//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//vacuous

// Two threads can differ in the last bit, three cannot: no launch meets what is
// required.

__global__ void halves(int *to) {
  __requires(__distinct_int(threadIdx.x & 1));
  to[threadIdx.x & 1] = threadIdx.x;
}
