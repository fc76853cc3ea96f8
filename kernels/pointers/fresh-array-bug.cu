//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//write-write-race

// An array of its own is the variable's, not the thread's.

__global__ void fresh(int n) {
  int *own;
  __requires_fresh_array(own);
  own[threadIdx.x] = 1;
  own[threadIdx.x ^ 1] = 2;
}
