//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//not-modelled

// What is assumed of the other thread is not left out without a word.

__global__ void assumed(int *a) {
  __assume(__distinct_int(a[threadIdx.x]));
  a[threadIdx.x] = 1;
}
