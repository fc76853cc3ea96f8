//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//read-write-race

// The first thread returns without a barrier: nothing orders its write before what the
// others read after theirs.

__global__ void returned(int *to) {
  __shared__ int first;
  if (threadIdx.x == 0) {
    first = 1;
    return;
  }
  __syncthreads();
  to[threadIdx.x] = first;
}
